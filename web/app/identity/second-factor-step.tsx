import { identityRefusals } from '@parts-forge/contract/people/identity-service';
import { getIdentityCode } from '#app/errors/describe-error.ts';
import type { SecondFactorCode } from '#app/session/identity-client.ts';
import { session } from '#app/session/session.ts';
import { SecondFactorForm } from './second-factor-form.tsx';

/** After these the password is needed again. */
const startOverRefusals: readonly (string | null)[] = [
  identityRefusals.codeNoLongerAsked,
  identityRefusals.tooManyCodes,
];

interface SecondFactorStepProps {
  /** Called with each failure, and with null before a retry. */
  onError: (error: Error | null) => void;
  onStartOver: () => void;
}

export function SecondFactorStep({ onError, onStartOver }: SecondFactorStepProps) {
  const confirm = async (code: SecondFactorCode) => {
    onError(null);
    try {
      await session.confirmSignIn(code);
    } catch (error) {
      onError(error as Error);
      if (startOverRefusals.includes(getIdentityCode(error))) onStartOver();
    }
  };
  const startOver = () => {
    onError(null);
    onStartOver();
  };
  return (
    <>
      <SecondFactorForm onSubmit={confirm} />
      <p className="mt-8 text-muted">
        <button type="button" className="pf-link min-h-8 cursor-pointer" onClick={startOver}>
          Back to Login
        </button>
      </p>
    </>
  );
}
