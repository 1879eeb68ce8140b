import { formatAmount, formatPieces } from '@parts-forge/contract/money/money';
import type { EditedPart } from '@parts-forge/contract/products/product-changes';
import { type EditedField, fieldFacts } from '@parts-forge/contract/products/product-fields';

/** A field's value on one line. An empty number field is `none`. */
export function describeField(part: EditedPart, field: EditedField): string {
  switch (field) {
    case 'price':
      return describeNumber(part.price, formatAmount);
    case 'minimumOrder':
    case 'orderStep':
      return describeNumber(part[field], formatPieces);
    case 'priceBreaks': {
      const breaks = part.priceBreaks.map(
        ({ quantity, price }) =>
          `${describeNumber(price, formatAmount)} from ${describeNumber(quantity, formatPieces)}`,
      );
      return breaks.join(', ') || 'none';
    }
    case 'attributes':
      return part.attributes.map(({ name, value }) => `${name}: ${value}`).join('; ') || 'none';
    case 'fits':
    case 'alsoKnownAs':
      return part[field].join(', ') || 'none';
    case 'images':
      return part.images.length === 1 ? '1 picture' : `${part.images.length} pictures`;
    default: {
      const value = part[field];
      return value === null ? 'none' : describeNumber(value, fieldFacts[field].describe ?? String);
    }
  }
}

/** An unreadable text stays in the form as it is. */
function describeNumber(value: number | string, format: (value: number) => string): string {
  if (typeof value === 'string') return value || 'none';
  return Number.isNaN(value) ? 'none' : format(value);
}

export const listFieldNames = (fields: readonly EditedField[]): string =>
  fields.map((field) => fieldFacts[field].label.toLowerCase()).join(', ');
