import { formatPieces } from '@parts-forge/contract/money';
import { useState } from 'react';
import { describeError, getProblemCode } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { ShopProblem } from '#app/http/errors.ts';

/** How many pieces there are now, as a refused change of the stock says it; null when it does not. */
const readPresentStock = (error: unknown): number | null =>
  error instanceof ShopProblem ? (error.body.quantity ?? null) : null;

/**
 * The pieces of a product as far as they are known: a refused change says how many there are now, and the next try
 * means that number, whatever comes in between.
 */
export function usePresentStock({ quantity }: { quantity: number }, error: unknown): number {
  const [stock, setStock] = useState(quantity);
  const present = readPresentStock(error);
  if (present !== null && present !== stock) setStock(present);
  return present ?? stock;
}

/** Why a stock could not be changed. @param again the button that does it again */
export function StockError({ error, again }: { error: Error; again: string }) {
  return (
    <FormError error={error} className="mb-4">
      {getProblemCode(error) === 'stock-changed'
        ? `The stock changed meanwhile: ${formatPieces(readPresentStock(error) ?? 0)} now. Look at your number, then press ${again} again.`
        : `${describeError(error)} Try again.`}
    </FormError>
  );
}
