import type { LineProblem } from '@parts-forge/contract/calls/problem-body';
import { formatCount } from '@parts-forge/contract/money/money';
import { describeError, getProblemCode } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { OfflineError, ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { SendVerificationMail } from '#app/identity/send-verification-mail.tsx';
import { OrderArrived } from '#app/orders/purchase/unanswered-notice.tsx';
import { LinkToLine } from './link-to-line.tsx';
import type { LineOnPage } from './use-batch-lines.ts';

interface BatchErrorProps {
  error: Error;
  /** The customer's address. */
  email: string;
  /** The lines as refetched after the refusal. */
  rows: readonly LineOnPage[];
  /** The batch may have been placed. */
  isUnanswered: boolean;
  /** The customer confirms that the batch has arrived. */
  onForget: () => void;
}

/** Tells why no line was placed, or that the response was lost. */
export function BatchError({ error, email, rows, isUnanswered, onForget }: BatchErrorProps) {
  // The guard is already redirecting to /login.
  if (error instanceof SignedOutError) return null;
  if (getProblemCode(error) === 'email-not-verified') {
    return (
      <FormError className="mb-6">
        <p className="[overflow-wrap:anywhere]">
          <strong className="font-semibold">Confirm your address first.</strong> Open the link that we mailed
          to {email}, then place the batch again. Your entries are kept.
        </p>
        <SendVerificationMail email={email} className="mt-3" />
      </FormError>
    );
  }
  const refused = error instanceof ShopProblem ? error.body.lines : undefined;
  if (refused) return <RefusedLines refused={refused} rows={rows} />;
  if (!isUnanswered) {
    return (
      <FormError className="mb-6" error={error}>
        <p>
          <strong className="font-semibold">Nothing was placed.</strong> {describeError(error)}
        </p>
      </FormError>
    );
  }
  return (
    <FormError className="mb-6" error={error}>
      <p>
        <strong className="font-semibold">No answer came.</strong>{' '}
        {error instanceof OfflineError ? 'Check the connection and place' : `${describeError(error)} Place`}{' '}
        the batch again: what has already arrived is not placed twice. <OrderArrived onForget={onForget} />
      </p>
    </FormError>
  );
}

/** The lines were refetched, so each shows its problem. */
function RefusedLines({ refused, rows }: { refused: readonly LineProblem[]; rows: readonly LineOnPage[] }) {
  const [first, ...others] = rows.filter(({ problem }) => problem !== null);
  if (!first) {
    return (
      <FormError className="mb-6">
        <p>
          <strong className="font-semibold">
            {refused.every(({ code }) => code === 'price-changed') ? 'Prices' : 'Some parts'} have changed.
          </strong>{' '}
          Nothing was placed. Look at the lines and the total, and place the batch again.
        </p>
      </FormError>
    );
  }
  const count = others.length + 1;
  return (
    <FormError className="mb-6">
      <p>
        <strong className="font-semibold">
          {count} of {formatCount(rows.length, 'line')} cannot be ordered as{' '}
          {count === 1 ? 'it is' : 'they are'}.
        </strong>{' '}
        Nothing was placed. <LinkToLine line={first} />
      </p>
    </FormError>
  );
}
