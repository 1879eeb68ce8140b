import { confirmEmail } from '@parts-forge/contract/people/email-verification';
import { useState } from 'react';
import { Link } from 'react-router';
import { callShop } from '#app/calls/api-client.ts';
import { describeError, getProblemCode } from '#app/errors/describe-error.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { SendVerificationMail } from './send-verification-mail.tsx';
import { forgetVerificationToken } from './verification-token.ts';

interface VerifyEmailProps {
  email: string;
  token: string;
}

type Outcome = 'confirmed' | 'already' | Error;

export function VerifyEmail({ email, token }: VerifyEmailProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    const done = await callShop(confirmEmail, {
      params: { email },
      body: { token },
      whenSignedOut: 'stay',
    }).then(
      ({ already }): Outcome => (already ? 'already' : 'confirmed'),
      (error: Error) => error,
    );
    if (!(done instanceof Error) || getProblemCode(done) === 'dead-link') forgetVerificationToken();
    setOutcome(done);
    setBusy(false);
  };
  if (outcome === 'confirmed' || outcome === 'already') return <Confirmed email={email} outcome={outcome} />;
  if (getProblemCode(outcome) === 'dead-link') {
    return (
      <>
        <Banner kind="alarm" className="mt-6">
          This link is for another account than {email}, has expired, or was replaced by a newer one.
        </Banner>
        <SendVerificationMail email={email} className="mt-6" />
      </>
    );
  }
  return (
    <>
      <p className="mt-4 text-muted [overflow-wrap:anywhere]">You are logged in as {email}.</p>
      {outcome && (
        <Banner kind="error" className="mt-6">
          {describeError(outcome)}
        </Banner>
      )}
      <Button kind="primary" className="mt-6" busy={busy} busyLabel="Confirming…" onClick={confirm}>
        Confirm this address
      </Button>
    </>
  );
}

function Confirmed({ email, outcome }: { email: string; outcome: 'confirmed' | 'already' }) {
  return (
    <>
      <Banner kind="info" className="mt-6">
        {outcome === 'confirmed' ? `${email} is confirmed.` : `${email} was confirmed before.`}
      </Banner>
      <p className="mt-8">
        <Link className="pf-link inline-flex min-h-8 items-center font-semibold" to="/all-products">
          See All Parts
        </Link>
      </p>
    </>
  );
}
