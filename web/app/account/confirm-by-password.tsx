import { zodResolver } from '@hookform/resolvers/zod';
import { messages } from '@parts-forge/contract/calls/messages';
import { identityRefusals } from '@parts-forge/contract/people/identity-service';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { useSingleFlight } from '#app/forms/use-single-flight.ts';
import { Button } from '#app/ui/button.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { showServiceError } from './show-service-error.ts';

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
  const form = useForm({ resolver, mode: 'onTouched', defaultValues: { password: '' } });
  const message = form.formState.errors.password?.message;
  const once = useSingleFlight();
  const save = async (body: { password: string }) => {
    try {
      onConfirmed(await change.mutateAsync(body));
    } catch (error) {
      showServiceError(form, error, { [identityRefusals.wrongPassword]: 'password' });
    }
  };
  return (
    <>
      {children}
      {!message && <FormError error={change.error} className="mb-5" advice="Try again." />}
      <form className="grid gap-5" noValidate onSubmit={form.handleSubmit((body) => once(() => save(body)))}>
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          required
          error={message}
          {...deferBlur(form.register('password'))}
        />
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
