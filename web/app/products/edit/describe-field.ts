import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import type { EditedField, EditedPart } from '@parts-forge/contract/product-changes';

export const fieldNames: Record<EditedField, string> = {
  name: 'Name',
  number: 'Part number',
  kind: 'Kind',
  description: 'Description',
  price: 'Price',
  minimumOrder: 'Minimum Order',
  orderStep: 'Order step',
  priceBreaks: 'Price breaks',
  attributes: 'Specification',
  fits: 'Fits',
  images: 'Pictures',
};

/** A field's value on one line. An empty number field is `none`. */
export function describeField(part: EditedPart, field: EditedField): string {
  switch (field) {
    case 'price':
      return Number.isNaN(part.price) ? 'none' : formatAmount(part.price);
    case 'minimumOrder':
    case 'orderStep':
      return Number.isNaN(part[field]) ? 'none' : formatPieces(part[field]);
    case 'priceBreaks': {
      const breaks = part.priceBreaks.map(
        ({ quantity, price }) => `${formatAmount(price)} from ${formatPieces(quantity)}`,
      );
      return breaks.join(', ') || 'none';
    }
    case 'attributes':
      return part.attributes.map(({ name, value }) => `${name}: ${value}`).join('; ') || 'none';
    case 'fits':
      return part.fits.join(', ') || 'none';
    case 'images':
      return part.images.length === 1 ? '1 picture' : `${part.images.length} pictures`;
    default:
      return part[field] || 'none';
  }
}

/** `price, price breaks` */
export const listFieldNames = (fields: readonly EditedField[]): string =>
  fields.map((field) => fieldNames[field].toLowerCase()).join(', ');
