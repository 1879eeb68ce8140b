import { formatPieces } from '@parts-forge/contract/money/money';
import { useState } from 'react';
import { describeError, getProblemCode } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { ShopProblem } from '#app/http/errors.ts';

const readPresentStock = (error: unknown): number | null =>
  error instanceof ShopProblem ? (error.body.quantity ?? null) : null;

/** The last known stock. A refused change brings the current number, and a retry applies to that number. */
export function usePresentStock({ quantity }: { quantity: number }, error: unknown): number {
  const [stock, setStock] = useState(quantity);
  const present = readPresentStock(error);
  if (present !== null && present !== stock) setStock(present);
  return present ?? stock;
}

/** @param again the button that retries */
export function StockError({ error, again }: { error: Error; again: string }) {
  return (
    <FormError error={error} className="mb-4">
      {getProblemCode(error) === 'stock-changed'
        ? `The stock has changed: ${formatPieces(readPresentStock(error) ?? 0)} now. Check your number, then press ${again} again.`
        : `${describeError(error)} Try again.`}
    </FormError>
  );
}
