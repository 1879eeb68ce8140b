import { zodResolver } from '@hookform/resolvers/zod';
import { MIN_PASSWORD, registerSchema } from '@parts-forge/contract/identity';
import { useRef } from 'react';
import { useForm } from 'react-hook-form';
import { afterPress } from '#app/ui/after-press.ts';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { useWaitingForm, waiting } from '#app/ui/waiting-form.ts';
import type { Credentials } from './identity-client.ts';

/** Name, email and password; otherwise as the login form. */
export function RegisterForm({
  onSend,
}: {
  onSend: (person: Credentials & { name: string }) => Promise<void>;
}) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(registerSchema),
    mode: 'onTouched',
  });
  const form = useRef<HTMLFormElement>(null);
  useWaitingForm(form);
  const { errors, isSubmitting } = formState;
  return (
    <form
      ref={form}
      method="post"
      className="mt-8 grid gap-5"
      noValidate
      onSubmit={handleSubmit(onSend)}
      {...waiting}
    >
      <Field
        label="Name"
        id="name"
        autoComplete="name"
        required
        error={errors.name?.message}
        {...afterPress(register('name'))}
      />
      <Field
        label="Email"
        id="email"
        type="email"
        autoComplete="email"
        required
        error={errors.email?.message}
        {...afterPress(register('email'))}
      />
      <Field
        label="Password"
        id="password"
        type="password"
        autoComplete="new-password"
        required
        error={errors.password?.message}
        hint={errors.password ? undefined : `At least ${MIN_PASSWORD} characters`}
        {...afterPress(register('password'))}
      />
      <Button
        type="submit"
        kind="primary"
        className="mt-1 w-full"
        busy={isSubmitting}
        busyLabel="Signing up…"
      >
        SIGN UP
      </Button>
    </form>
  );
}
