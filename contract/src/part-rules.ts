/**
 * Rules of a part that the public pages need. They stand apart from the schemas in `products.ts`, so that a
 * visitor's first page does not load the library that checks forms.
 */
import { CARD_DESCRIPTION } from './bounds.ts';

/** The description as a card shows it: the first 90 characters, then an ellipsis (specification §2). */
export function cardDescription(description: string): string {
  const characters = [...description];
  return characters.length > CARD_DESCRIPTION
    ? `${characters.slice(0, CARD_DESCRIPTION).join('')}…`
    : description;
}

/** Whether a batch can be ordered at all: at least the minimum order is on hand. Both in pieces. */
export const isAvailable = ({
  quantity,
  minimumOrder,
}: {
  quantity: number;
  minimumOrder: number;
}): boolean => quantity >= minimumOrder;

/** What a part is, as the list can be filtered by it; the last one is for all the rest. */
export const KINDS = [
  'Displays',
  'Batteries',
  'Charging',
  'Cameras',
  'Sound and haptics',
  'Housing',
  'Boards',
  'Flexes and sensors',
  'Fixings',
  'Other',
] as const;
export type Kind = (typeof KINDS)[number];
export const DEFAULT_KIND: Kind = 'Other';

/** The orders a list can have, the default first. */
export const SORTS = ['newest', 'name', 'price', '-price'] as const;
export type ProductSort = (typeof SORTS)[number];
