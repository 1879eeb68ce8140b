import { sendVerificationMail } from '@parts-forge/contract/email-verification';
import { useState } from 'react';
import { callShop } from '#app/calls/api-client.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { session } from '#app/session/session.ts';
import { Button } from '#app/ui/button.tsx';

interface SendVerificationMailProps {
  /** Of whoever is signed in. */
  email: string;
  className?: string;
}

/** Mails the link that proves the address once more, by whoever mails such links, and says so in place of the button. */
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
        <p role="status" className="[overflow-wrap:anywhere]">
          {answer}
        </p>
      )}
    </div>
  );
}

/** @returns what came of it, a sentence for people */
async function mailLink(email: string): Promise<string> {
  const hosted = session.sendVerificationMail();
  const { verified } = await (hosted ??
    callShop(sendVerificationMail, { params: { email }, whenSignedOut: 'stay' }));
  if (verified) return 'The address is confirmed already.';
  return hosted
    ? `A link is on its way to ${email}.`
    : `A link is on its way to ${email}. It works for a day.`;
}
