import type { Product } from '@parts-forge/contract/products/products';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { describeExpected } from './expected-day.ts';

export default function ExpectedNote({ product }: { product: Product }) {
  const day = describeExpected(product, useShopTimeZone());
  return (
    day && <span className="sub me-2 text-sm font-normal !whitespace-normal text-muted">expected {day}</span>
  );
}
