import { formatAmount } from '@parts-forge/contract/money/money';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { describeError } from '#app/errors/describe-error.ts';
import { ShopProblem } from '#app/http/errors.ts';
import { adviseRetry, PlacingNote } from '#app/placing/placing-error.tsx';

interface OrderRefusalProps {
  error: Error;
  /** At the current price. */
  total: number;
  /** Whether the stock covers the minimum order. */
  isAvailable: boolean;
}

export function OrderRefusal({ error, total, isAvailable }: OrderRefusalProps) {
  const reason = explainRefusal(error, total, isAvailable);
  if (reason !== null) return <PlacingNote lead="The order was not placed.">{reason}</PlacingNote>;
  return (
    <PlacingNote lead="The order was not placed." error={error}>
      {describeError(error)} {error instanceof ShopProblem && adviseRetry(error)}
    </PlacingNote>
  );
}

/** Null for one with its own sentence. */
function explainRefusal(error: Error, total: number, isAvailable: boolean): ReactNode {
  if (!(error instanceof ShopProblem)) return null;
  switch (error.code) {
    case 'above-stock':
      if (!isAvailable) return 'Others were faster: too few pieces are left to order. Your entries are kept.';
      return 'The stock changed while you were typing. Check the quantity and press Purchase again; your entries are kept.';
    case 'price-changed':
      return `The price changed while you were typing. It is now ${formatAmount(error.body.price ?? 0)} per unit, ${formatAmount(total)} in total. Press Purchase again to order at this price; your entries are kept.`;
    case 'below-minimum':
    case 'wrong-step':
    case 'amount-too-large':
      return 'The part changed while you were typing. Check the quantity and press Purchase again; your entries are kept.';
    case 'not-found':
      return (
        <>
          This part is no longer sold.{' '}
          <Link to="/all-products" className="pf-link font-semibold">
            See All Parts
          </Link>
        </>
      );
    case 'invalid':
      return error.detail;
    default:
      return null;
  }
}
