import { identityRefusals } from '@parts-forge/contract/people/identity-service';
import { useEffect, useRef, useState } from 'react';
import { getIdentityCode } from '#app/errors/describe-error.ts';
import type { SecondFactorCode } from '#app/session/identity-client.ts';
import { session } from '#app/session/session.ts';
import { Button } from '#app/ui/button.tsx';
import { focusHeadingIfLost } from '#app/ui/focus-heading.ts';
import { CredentialsForm } from './credentials-form.tsx';
import { timeCodeInput } from './time-code.ts';

const timeCode = {
  load: () => import('./credential-rules.ts').then(({ checkTimeCode }) => checkTimeCode),
  fields: [
    {
      name: 'code',
      label: 'Code',
      hint: 'The six digits that your authenticator app shows',
      ...timeCodeInput,
    },
  ],
} as const;

const backupCode = {
  load: () => import('./credential-rules.ts').then(({ checkBackupCode }) => checkBackupCode),
  fields: [
    {
      name: 'code',
      label: 'Backup code',
      hint: 'One of the ten that you kept; each works once',
      autoComplete: 'off',
    },
  ],
} as const;

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

export default function SecondFactorStep({ onError, onStartOver }: SecondFactorStepProps) {
  const [kind, setKind] = useState<SecondFactorCode['kind']>('time');
  const isTime = kind === 'time';
  const area = useFocusOnField(kind);
  const confirm = async ({ code }: { code: string }) => {
    onError(null);
    try {
      await session.confirmSignIn({ kind, code });
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
    <div ref={area}>
      <CredentialsForm
        // Resets the form, as a code of one kind is no code of the other.
        key={kind}
        {...(isTime ? timeCode : backupCode)}
        submitLabel="Confirm"
        busyLabel="Checking…"
        onSubmit={confirm}
      />
      <Button kind="line" className="mt-4 w-full" onClick={() => setKind(isTime ? 'backup' : 'time')}>
        {isTime ? 'Use a backup code' : 'Use the authenticator app'}
      </Button>
      <p className="mt-8 text-muted">
        <button type="button" className="pf-link min-h-8 cursor-pointer" onClick={startOver}>
          Back to Login
        </button>
      </p>
    </div>
  );
}

/** On unmount, the page's heading takes the focus. */
function useFocusOnField(kind: SecondFactorCode['kind']) {
  const area = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each kind has a field of its own.
  useEffect(() => area.current?.querySelector('input')?.focus(), [kind]);
  useEffect(() => () => void requestAnimationFrame(() => focusHeadingIfLost()), []);
  return area;
}
