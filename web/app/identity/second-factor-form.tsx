import { useEffect, useRef, useState } from 'react';
import type { SecondFactorCode } from '#app/session/identity-client.ts';
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

export function SecondFactorForm({ onSubmit }: { onSubmit: (code: SecondFactorCode) => Promise<void> }) {
  const [kind, setKind] = useState<SecondFactorCode['kind']>('time');
  const isTime = kind === 'time';
  const area = useFocusOnField(kind);
  return (
    <div ref={area}>
      <CredentialsForm
        // Resets the form, as a code of one kind is no code of the other.
        key={kind}
        {...(isTime ? timeCode : backupCode)}
        submitLabel="Confirm"
        busyLabel="Checking…"
        onSubmit={({ code }) => onSubmit({ kind, code })}
      />
      <Button kind="line" className="mt-4 w-full" onClick={() => setKind(isTime ? 'backup' : 'time')}>
        {isTime ? 'Use a backup code' : 'Use the authenticator app'}
      </Button>
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
