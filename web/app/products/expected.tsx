import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { lazyPart } from '#app/ui/lazy-part.tsx';

/** Few parts of a list need it. */
const ExpectedNote = lazyPart(() => import('./instead/expected-note.tsx'));

/** When more of a part arrives that cannot be ordered. Nothing if no day is known. */
export function Expected({ product }: { product: Product }) {
  if (product.expectedAt === null || isAvailable(product)) return null;
  return <ExpectedNote product={product} />;
}
