import { zodResolver } from '@hookform/resolvers/zod';
import { messages } from '@parts-forge/contract/calls/messages';
import { identityRefusals } from '@parts-forge/contract/people/identity-service';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { FormError } from '#app/forms/form-error.tsx';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { Button } from '#app/ui/button.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { useServiceForm } from './use-service-form.ts';

// Without a length rule, as the service compares the password.
const resolver = zodResolver(
  z.object({ password: z.string().check(z.minLength(1, messages.passwordRequired)) }),
);

interface ConfirmByPasswordProps<Answer> {
  confirm: string;
  busyLabel: string;
  kind?: 'strong' | 'danger';
  change: Pick<UseMutationResult<Answer, Error, { password: string }>, 'mutateAsync' | 'isPending' | 'error'>;
  onConfirmed: (answer: Answer) => void;
  onCancel: () => void;
  /** Say what the change brings with it. */
  children?: ReactNode;
}

/** Asks for the password before a change of the sign-in. */
export function ConfirmByPassword<Answer>(props: ConfirmByPasswordProps<Answer>) {
  const { confirm, busyLabel, kind = 'strong', change, onConfirmed, onCancel, children } = props;
  const { error, submit, getField } = useServiceForm({
    resolver,
    defaultValues: { password: '' },
    change,
    refusedFields: { [identityRefusals.wrongPassword]: 'password' },
    onDone: onConfirmed,
  });
  return (
    <>
      {children}
      <FormError error={error} className="mb-5" advice="Try again." />
      <form className="grid gap-5" noValidate onSubmit={submit}>
        <PasswordField label="Your password" autoComplete="current-password" {...getField('password')} />
        <div className="flex gap-3 max-sm:flex-col">
          <SubmitButton kind={kind} error={change.error} busy={change.isPending} busyLabel={busyLabel}>
            {confirm}
          </SubmitButton>
          <Button kind="line" onClick={onCancel}>
            Leave it as it is
          </Button>
        </div>
      </form>
    </>
  );
}
