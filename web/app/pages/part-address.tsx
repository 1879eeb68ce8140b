import { NotFoundPage } from '#app/layout/not-found-page.tsx';

/** The address without the part's name, as in QR codes: it survives a rename. */
export { loader } from './part.tsx';

/** Never rendered: the loader redirects or refuses. */
export default function PartAddress() {
  return <NotFoundPage />;
}
