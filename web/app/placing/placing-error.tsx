import type { ReactNode } from 'react';
import { describeError, getProblemCode, getRetryAfterSeconds } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { OfflineError, SignedOutError } from '#app/http/errors.ts';
import { SendVerificationMail } from '#app/identity/send-verification-mail.tsx';
import { OrderArrived } from './unanswered-notice.tsx';

interface PlacingErrorProps {
  error: Error;
  email: string;
  /** It may have been placed. */
  isUnanswered: boolean;
  /** The customer confirms that it has arrived. */
  onForget: () => void;
  /** Says how to try again: `Press Purchase`. */
  act: string;
  /** `an order that has already arrived` */
  arrived: string;
  children: ReactNode;
}

/** Tells why nothing was placed and how to go on. The entries are kept. */
export function PlacingError(props: PlacingErrorProps) {
  const { error, email, isUnanswered, onForget, act, arrived, children } = props;
  const thenAct = `${act.charAt(0).toLowerCase()}${act.slice(1)}`;
  // The guard is already redirecting to /login.
  if (error instanceof SignedOutError) return null;
  if (getProblemCode(error) === 'email-not-verified') {
    return (
      <FormError className="mb-6">
        <p className="[overflow-wrap:anywhere]">
          <strong className="font-semibold">Confirm your address first.</strong> Open the link that we mailed
          to {email}, then {thenAct} again. Your entries are kept.
        </p>
        <SendVerificationMail email={email} className="mt-3" />
      </FormError>
    );
  }
  if (!isUnanswered) return <>{children}</>;
  return (
    <PlacingNote lead="No answer came." error={error}>
      {error instanceof OfflineError
        ? `Check the connection and ${thenAct}`
        : `${describeError(error)} ${act}`}{' '}
      again: {arrived} is not placed twice. {adviseRetry(error)} <OrderArrived onForget={onForget} />
    </PlacingNote>
  );
}

interface PlacingNoteProps {
  lead: ReactNode;
  error?: Error;
  children: ReactNode;
}

export const PlacingNote = ({ lead, error, children }: PlacingNoteProps) => (
  <FormError className="mb-6" error={error}>
    <p>
      <strong className="font-semibold">{lead}</strong> {children}
    </p>
  </FormError>
);

export function adviseRetry(error: Error): string {
  const seconds = getRetryAfterSeconds(error);
  return seconds === null
    ? 'Your entries are kept.'
    : `Try again in ${seconds} seconds; your entries are kept.`;
}
