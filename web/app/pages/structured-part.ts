import { shopCurrency } from '@parts-forge/contract/money/currency';
import { writeAmount } from '@parts-forge/contract/money/money';
import { isAvailable, partPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import type { RootData } from './page-meta.ts';

/** Describes a part in schema.org's terms. */
export function describePart(part: Product, root: RootData | undefined): Record<string, unknown>[] {
  const origin = root?.origin;
  const url = origin && `${origin}${partPath(part)}`;
  return [
    {
      '@type': 'Product',
      name: part.name,
      description: part.description,
      sku: part.number,
      mpn: part.number,
      category: part.kind,
      ...(root && { brand: { '@type': 'Brand', name: root.shop.name } }),
      ...(url && { url, image: part.images.map((image) => new URL(image, url).href) }),
      ...(part.attributes.length > 0 && {
        additionalProperty: part.attributes.map(({ name, value }) => ({
          '@type': 'PropertyValue',
          name,
          value,
        })),
      }),
      ...(part.fits.length > 0 && {
        isAccessoryOrSparePartFor: part.fits.map((name) => ({ '@type': 'Product', name })),
      }),
      offers: describeOffers(part, url),
    },
  ];
}

/** One offer for each price, with its range of quantities. */
function describeOffers(part: Product, url: string | null | undefined): Record<string, unknown>[] {
  const rows = [{ quantity: part.minimumOrder, price: part.price }, ...part.priceBreaks];
  return rows.map(({ quantity, price }, index) => {
    const next = rows[index + 1];
    return {
      '@type': 'Offer',
      price: writeAmount(price),
      priceCurrency: shopCurrency().code,
      eligibleQuantity: {
        '@type': 'QuantitativeValue',
        minValue: quantity,
        ...(next && { maxValue: next.quantity - 1 }),
        unitCode: 'C62',
      },
      availability: `https://schema.org/${isAvailable({ ...part, minimumOrder: quantity }) ? 'InStock' : 'OutOfStock'}`,
      itemCondition: 'https://schema.org/NewCondition',
      ...(url && { url }),
    };
  });
}
