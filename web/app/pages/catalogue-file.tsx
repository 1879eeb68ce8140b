import { CatalogueFile } from '#app/stock/catalogue-file.tsx';

/** Makes the middleware run on the first load, too. */
export function clientLoader() {
  return null;
}

export default function CatalogueFilePage() {
  return <CatalogueFile />;
}
