import { formatAmount, toCents } from '@parts-forge/contract/money/money';
import type { EditedPart } from '@parts-forge/contract/products/product-changes';
import type { EditedField } from '@parts-forge/contract/products/product-fields';
import type { Facts } from '#src/trail/schema.ts';

/** Plain values for the trail; lists become one text. */
export const describeFields = (part: EditedPart, fields: readonly EditedField[]): Facts =>
  Object.assign({}, ...fields.map((field) => describeField(part, field)));

function describeField(part: EditedPart, field: EditedField): Facts {
  switch (field) {
    case 'price':
      return { priceCents: toCents(part.price) };
    case 'priceBreaks': {
      const breaks = part.priceBreaks.map(({ quantity, price }) => `${quantity}: ${formatAmount(price)}`);
      return { priceBreaks: breaks.join(', ') };
    }
    case 'attributes':
      return { attributes: part.attributes.map(({ name, value }) => `${name}: ${value}`).join('; ') };
    case 'fits':
    case 'alsoKnownAs':
      return { [field]: part[field].join(', ') };
    case 'images':
      return { images: part.images.join(' ') };
    default:
      return { [field]: part[field] ?? 'none' };
  }
}
