import { zodResolver } from '@hookform/resolvers/zod';
import { identityRefusals } from '@parts-forge/contract/people/identity-service';
import { lazy, Suspense } from 'react';
import * as z from 'zod/mini';
import { FormError } from '#app/forms/form-error.tsx';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { timeCodeField, timeCodeInput } from '#app/identity/time-code.ts';
import { Button } from '#app/ui/button.tsx';
import { CopyTextButton } from '#app/ui/copy-button.tsx';
import { Field } from '#app/ui/field.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { useConfirmSecondFactor } from './queries.ts';
import { useServiceForm } from './use-service-form.ts';

/** On demand: nothing else needs its library. */
const QrCode = lazy(() => import('#app/ui/qr-code.tsx').then(({ QrCode }) => ({ default: QrCode })));

interface SecondFactorScanProps {
  /** The URI that an authenticator app reads: `otpauth://…`. */
  totpURI: string;
  onConfirmed: () => void;
  onCancel: () => void;
}

/** Transfers the secret to an authenticator app and asks for a code, which activates the second factor. */
export function SecondFactorScan({ totpURI, onConfirmed, onCancel }: SecondFactorScanProps) {
  return (
    <div className="grid gap-6 sm:grid-cols-[13rem_minmax(0,1fr)]">
      <Suspense fallback={<Skeleton className="size-52" />}>
        <QrCode text={totpURI} label="QR code for the authenticator app" />
      </Suspense>
      <Secret totpURI={totpURI} />
      <div className="sm:col-span-2">
        <CodeForm onConfirmed={onConfirmed} onCancel={onCancel} />
      </div>
    </div>
  );
}

function Secret({ totpURI }: { totpURI: string }) {
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  return (
    <div>
      <p>Scan the code with your authenticator app, or give it this key:</p>
      <p className="num my-3 font-medium [overflow-wrap:anywhere]">{groupByFour(secret)}</p>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <CopyTextButton name="key" text={secret} />
        {/* The phone with the app has no second camera to scan with. */}
        <a className="pf-link inline-flex min-h-8 items-center" href={totpURI}>
          Open the app on this device
        </a>
      </div>
    </div>
  );
}

/** Easier to read from one screen and type on another. */
const groupByFour = (secret: string) => secret.replace(/.{4}(?=.)/g, '$& ');

const resolver = zodResolver(z.object({ code: timeCodeField }));

function CodeForm({ onConfirmed, onCancel }: Omit<SecondFactorScanProps, 'totpURI'>) {
  const confirmation = useConfirmSecondFactor();
  const { error, submit, getField } = useServiceForm({
    resolver,
    defaultValues: { code: '' },
    change: confirmation,
    refusedFields: { [identityRefusals.wrongCode]: 'code' },
    onDone: onConfirmed,
  });
  return (
    <>
      <FormError error={error} className="mb-5" advice="Try again." />
      <form className="grid gap-5" noValidate onSubmit={submit}>
        <Field
          label="Code"
          {...timeCodeInput}
          {...getField('code', 'The six digits that the app shows now')}
        />
        <div className="flex gap-3 max-sm:flex-col">
          <SubmitButton
            kind="strong"
            error={confirmation.error}
            busy={confirmation.isPending}
            busyLabel="Checking…"
          >
            Switch on
          </SubmitButton>
          <Button kind="line" onClick={onCancel}>
            Leave it off
          </Button>
        </div>
      </form>
    </>
  );
}
