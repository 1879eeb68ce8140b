import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useFocusOnStep } from '#app/ui/use-focus-on-step.ts';
import { BackupCodes } from './backup-codes.tsx';
import { ConfirmByPassword } from './confirm-by-password.tsx';
import {
  signedInQueryOptions,
  useDisableSecondFactor,
  useEnableSecondFactor,
  useMakeBackupCodes,
} from './queries.ts';
import { SecondFactorScan } from './second-factor-scan.tsx';
import { type SecondFactorChange, SecondFactorState } from './second-factor-state.tsx';

type Step =
  | { name: 'state' }
  | { name: SecondFactorChange }
  | { name: 'scan'; totpURI: string; backupCodes: readonly string[] }
  | { name: 'codes'; backupCodes: readonly string[] };

export function SecondFactor({ email }: { email: string }) {
  const [step, setStep] = useState<Step>({ name: 'state' });
  const area = useFocusOnStep<HTMLElement>(step.name);
  return (
    <Panel
      ref={area}
      heading="Second factor"
      about="After your password, you enter a code from an app on your phone. The password alone signs nobody in."
    >
      {/* Each step begins without the errors of an earlier one. */}
      <CurrentStep key={step.name} email={email} step={step} onStep={setStep} />
    </Panel>
  );
}

interface CurrentStepProps {
  email: string;
  step: Step;
  onStep: (step: Step) => void;
}

function CurrentStep({ email, step, onStep }: CurrentStepProps) {
  const enabling = useEnableSecondFactor();
  const making = useMakeBackupCodes();
  const disabling = useDisableSecondFactor();
  const toState = () => onStep({ name: 'state' });
  switch (step.name) {
    case 'state':
      return <LoadedState email={email} onChange={(name) => onStep({ name })} />;
    case 'set-up':
      return (
        <ConfirmByPassword
          confirm="Continue"
          busyLabel="Checking…"
          change={enabling}
          onConfirmed={(setUp) => onStep({ name: 'scan', ...setUp })}
          onCancel={toState}
        />
      );
    case 'scan':
      return (
        <SecondFactorScan
          // Authenticators show a plus as it is.
          totpURI={step.totpURI.replaceAll('+', '%20')}
          onConfirmed={() => {
            toast('success', 'The second factor is on. Other browsers are signed out.');
            onStep({ name: 'codes', backupCodes: step.backupCodes });
          }}
          onCancel={toState}
        />
      );
    case 'new-codes':
      return (
        <ConfirmByPassword
          confirm="Make new codes"
          busyLabel="Making…"
          change={making}
          onConfirmed={(codes) => onStep({ name: 'codes', ...codes })}
          onCancel={toState}
        >
          <p className="mb-4">You get ten new backup codes, and your present ones stop working.</p>
        </ConfirmByPassword>
      );
    case 'codes':
      return <BackupCodes codes={step.backupCodes} onDone={toState} />;
    case 'switch-off':
      return (
        <ConfirmByPassword
          kind="danger"
          confirm="Switch off"
          busyLabel="Switching off…"
          change={disabling}
          onConfirmed={() => {
            toast('success', 'The second factor is off. Other browsers are signed out.');
            toState();
          }}
          onCancel={toState}
        >
          <p className="mb-4">The password alone is enough then, and the backup codes stop working.</p>
        </ConfirmByPassword>
      );
  }
}

function LoadedState({ email, onChange }: { email: string; onChange: (change: SecondFactorChange) => void }) {
  const signedIn = useQuery(signedInQueryOptions(email));
  const config = useQuery(configQueryOptions());
  const isRequired = config.data?.identity.adminSecondFactor === 'required';
  return (
    <QueryPanel query={signedIn} what="Your second factor" skeleton={<Skeleton className="h-11 w-40" />}>
      {({ user }) => (
        <SecondFactorState
          isOn={user.twoFactorEnabled ?? false}
          isRequired={isRequired}
          onChange={onChange}
        />
      )}
    </QueryPanel>
  );
}
