import type { Product } from '@parts-forge/contract/products';
import { Link } from 'react-router';
import { ProductDetails } from '#app/products/part/product-details.tsx';
import { useLiveProduct } from '#app/products/part/use-live-product.ts';
import { Banner } from '#app/ui/banner.tsx';
import { PurchaseForm } from './purchase-form.tsx';
import { usePurchase } from './use-purchase.ts';

/** Remounted for each product. */
export function PurchasePanels({ product }: { product: Product }) {
  const live = useLiveProduct(product._id);
  const purchase = usePurchase(product, live.isGone);
  const { priceCents, pieces } = purchase.quantity;
  return (
    <>
      {live.isGone && (
        <Banner kind="info" className="mb-6">
          This part is no longer sold.{' '}
          <Link to="/all-products" className="pf-link font-semibold">
            See All Parts
          </Link>
        </Banner>
      )}
      <div className="grid gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,1fr)_26rem] xl:grid-cols-[minmax(0,1fr)_28rem]">
        <ProductDetails product={product} priceCents={priceCents} pieces={pieces} live={live} />
        <PurchaseForm product={product} purchase={purchase} />
      </div>
    </>
  );
}
