import { zodResolver } from '@hookform/resolvers/zod';
import { loginSchema } from '@parts-forge/contract/identity';
import { useRef } from 'react';
import { useForm } from 'react-hook-form';
import { afterPress } from '#app/ui/after-press.ts';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { useWaitingForm, waiting } from '#app/ui/waiting-form.ts';
import type { Credentials } from './identity-client.ts';

/**
 * Email and password. Fields are checked when they are left, then with every change (specification §5); what
 * was typed stays whatever happens.
 */
export function LoginForm({ onSend }: { onSend: (credentials: Credentials) => Promise<void> }) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(loginSchema),
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
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...afterPress(register('password'))}
      />
      <Button
        type="submit"
        kind="primary"
        className="mt-1 w-full"
        busy={isSubmitting}
        busyLabel="Signing in…"
      >
        Login
      </Button>
    </form>
  );
}
