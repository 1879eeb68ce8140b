/** The address without the part's name, as in QR codes: it survives a rename. Redirects or refuses, never renders. */
export { NotFoundPage as default } from '#app/layout/not-found-page.tsx';
export { loader } from './part.tsx';
