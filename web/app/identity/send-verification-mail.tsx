import { sendVerificationMail } from '@parts-forge/contract/people/email-verification';
import { useState } from 'react';
import { callShop } from '#app/calls/api-client.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { session } from '#app/session/session.ts';
import { Button } from '#app/ui/button.tsx';

interface SendVerificationMailProps {
  email: string;
  className?: string;
}

/** The result replaces the button. */
export function SendVerificationMail({ email, className = '' }: SendVerificationMailProps) {
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<string | null>(null);
  const send = async () => {
    setBusy(true);
    setAnswer(await mailLink(email).catch(describeError));
    setBusy(false);
  };
  return (
    <div className={className}>
      {answer === null ? (
        <Button kind="line" size="row" busy={busy} busyLabel="Sending…" onClick={send}>
          Send the link again
        </Button>
      ) : (
        <p aria-live="polite" aria-atomic="true" className="[overflow-wrap:anywhere]">
          {answer}
        </p>
      )}
    </div>
  );
}

/** @returns the result as a sentence for people */
async function mailLink(email: string): Promise<string> {
  const hosted = session.sendVerificationMail();
  if (hosted) return (await hosted).verified ? CONFIRMED : `A link is on its way to ${email}.`;
  const { verified, mailed, nextInSeconds } = await callShop(sendVerificationMail, {
    params: { email },
    whenSignedOut: 'stay',
  });
  if (verified) return CONFIRMED;
  const next = `Another can be sent in ${formatWait(nextInSeconds)}.`;
  return mailed
    ? `A link is on its way to ${email}. It works for a day. ${next}`
    : `Nothing was sent now: ${email} was mailed a link before. ${next}`;
}

const CONFIRMED = 'The address is confirmed already.';

/** Rounded up, so that nobody retries too early. */
function formatWait(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
