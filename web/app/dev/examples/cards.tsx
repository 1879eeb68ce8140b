import { toCents } from '@parts-forge/contract/money';
import { OrderSummary } from '#app/payments/order-summary.tsx';
import { ProductDetails } from '#app/products/part/product-details.tsx';
import { ProductCard } from '#app/products/product-card.tsx';
import { ProductCell, ProductSummary } from '#app/products/product-cell.tsx';
import { ReviewCard } from '#app/reviews/review-card.tsx';
import { ProfileDetails } from '#app/users/profile-details.tsx';
import type { Example } from '../example.ts';
import { customer, longName, outOfStock, product, review, unpaidOrder } from '../sample-data.ts';

const card = (of: typeof product) => (
  <ul>
    <ProductCard product={of} level={2} />
  </ul>
);

const details = (of: typeof product) => (
  <ProductDetails
    product={of}
    priceCents={toCents(of.price)}
    pieces={of.minimumOrder}
    live={{ connection: 'off', lostAt: null, now: undefined }}
  />
);

export const cards: readonly Example[] = [
  { name: 'ProductCard', render: () => card(product) },
  { name: 'ProductCard, out of stock', render: () => card(outOfStock) },
  { name: 'ProductCard, a name without a break', render: () => card(longName) },
  { name: 'ProductDetails', render: () => details(product) },
  { name: 'ProductDetails, out of stock', render: () => details(outOfStock) },
  {
    name: 'ProductCell',
    render: () => <ProductCell image={product.image} name={product.name} under="18 Nov 2026" />,
  },
  {
    name: 'ProductSummary',
    render: () => <ProductSummary image={product.image} name={product.name} figures="24,800 in stock" />,
  },
  {
    name: 'ReviewCard',
    render: () => (
      <ul>
        <ReviewCard review={review} />
      </ul>
    ),
  },
  { name: 'ProfileDetails', render: () => <ProfileDetails user={customer} chargesTax /> },
  { name: 'OrderSummary', render: () => <OrderSummary order={unpaidOrder} status="due" /> },
];
