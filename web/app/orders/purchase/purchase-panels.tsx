import type { Product } from '@parts-forge/contract/products';
import { Link } from 'react-router';
import { useLiveProduct } from '#app/products/part/use-live-product.ts';
import { Banner } from '#app/ui/banner.tsx';
import { PartStrip } from './part-strip.tsx';
import { PurchaseForm } from './purchase-form.tsx';
import { usePurchase } from './use-purchase.ts';

/** Remounted for each product. */
export function PurchasePanels({ product }: { product: Product }) {
  const live = useLiveProduct(product._id);
  const purchase = usePurchase(product, live.isGone);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:gap-6">
      {live.isGone && (
        <Banner kind="info">
          This part is no longer sold.{' '}
          <Link to="/all-products" className="pf-link font-semibold">
            See All Parts
          </Link>
        </Banner>
      )}
      <PartStrip product={product} priceCents={purchase.quantity.priceCents} live={live} />
      <PurchaseForm product={product} purchase={purchase} live={live} />
    </div>
  );
}
