import { formatAmount } from '@parts-forge/contract/money/money';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import {
  describeError,
  getProblemCode,
  getRequestId,
  getRetryAfterSeconds,
} from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { OfflineError, ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { SendVerificationMail } from '#app/identity/send-verification-mail.tsx';
import { OrderArrived } from './unanswered-notice.tsx';

interface OrderErrorProps {
  error: Error;
  /** The customer's address. */
  email: string;
  /** Dollars at the current price. */
  total: number;
  /** Whether the stock covers the minimum order. */
  isAvailable: boolean;
  /** The order may have been placed. */
  isUnanswered: boolean;
  /** The customer confirms that the order has arrived. */
  onForget: () => void;
}

/** Tells why the order failed and how to go on. The entries are kept. */
export function OrderError({ error, email, total, isAvailable, isUnanswered, onForget }: OrderErrorProps) {
  // The guard is already redirecting to /login.
  if (error instanceof SignedOutError) return null;
  if (getProblemCode(error) === 'email-not-verified') return <UnverifiedEmail email={email} />;
  if (isUnanswered) {
    return (
      <Frame lead="No answer came.">
        {error instanceof OfflineError ? 'Check the connection and press' : `${describeError(error)} Press`}{' '}
        Purchase again: an order that has already arrived is not placed twice. {adviseRetry(error)}{' '}
        <OrderArrived onForget={onForget} />
      </Frame>
    );
  }
  return <Frame lead="The order was not placed.">{explainRefusal(error, total, isAvailable)}</Frame>;
}

/** After confirming the address, Purchase sends the same entries. */
function UnverifiedEmail({ email }: { email: string }) {
  return (
    <FormError className="mb-6">
      <p className="[overflow-wrap:anywhere]">
        <strong className="font-semibold">Confirm your address first.</strong> Open the link that we mailed to{' '}
        {email}, then press Purchase again. Your entries are kept.
      </p>
      <SendVerificationMail email={email} className="mt-3" />
    </FormError>
  );
}

function Frame({ lead, children }: { lead: string; children: ReactNode }) {
  return (
    <FormError className="mb-6">
      <p>
        <strong className="font-semibold">{lead}</strong> {children}
      </p>
    </FormError>
  );
}

function explainRefusal(error: Error, total: number, isAvailable: boolean): ReactNode {
  if (!(error instanceof ShopProblem)) return describeError(error);
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
      return (
        <>
          {describeError(error)} {adviseRetry(error)}
        </>
      );
  }
}

function adviseRetry(error: Error): ReactNode {
  const seconds = getRetryAfterSeconds(error);
  const requestId = getRequestId(error);
  return (
    <>
      {seconds === null
        ? 'Your entries are kept.'
        : `Try again in ${seconds} seconds; your entries are kept.`}
      {requestId && (
        <span className="[overflow-wrap:anywhere]">
          {' '}
          Reference <span className="select-all">{requestId}</span>.
        </span>
      )}
    </>
  );
}
