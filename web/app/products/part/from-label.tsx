import { LABEL_HASH } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { useLocation } from 'react-router';
import { useSession } from '#app/session/session.ts';
import { lazyPart } from '#app/ui/lazy-part.tsx';

/** Few visits come by a label. */
const LabelBar = lazyPart(() => import('./label-bar.tsx'));

export function FromLabel({ product }: { product: Product }) {
  const { hash } = useLocation();
  const session = useSession();
  if (hash !== LABEL_HASH || session.status !== 'signed-in') return null;
  return <LabelBar product={product} email={session.user.email} />;
}
