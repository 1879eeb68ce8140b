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

/** The orders a list can have, the default first. */
export const SORTS = ['newest', 'name', 'price', '-price'] as const;
export type ProductSort = (typeof SORTS)[number];
