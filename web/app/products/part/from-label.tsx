import { LABEL_HASH } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '#app/session/session.ts';

/** Few visits come by a label. */
const LabelBar = lazy(() => import('./label-bar.tsx'));

export function FromLabel({ product }: { product: Product }) {
  const { hash } = useLocation();
  const session = useSession();
  if (hash !== LABEL_HASH || session.status !== 'signed-in') return null;
  return (
    <Suspense fallback={null}>
      <LabelBar product={product} email={session.user.email} />
    </Suspense>
  );
}
