import { zodResolver } from '@hookform/resolvers/zod';
import { messages } from '@parts-forge/contract/calls/messages';
import { sameEmail } from '@parts-forge/contract/text/text';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import * as z from 'zod/mini';
import { describeError, getProblemCode } from '#app/errors/describe-error.ts';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { IdentityError } from '#app/http/errors.ts';
import { session } from '#app/session/session.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { EmailText } from '#app/ui/email-text.tsx';
import { Field } from '#app/ui/field.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { unpaidOrderCountQueryOptions, useDeleteAccount } from './queries.ts';

/** Asks again, as deletion is final: for the email, or for the password if the sign-in is not recent. */
export function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const formId = useId();
  const { deletion, asksPassword, confirm } = useDeletion(email);
  const close = () => {
    if (!deletion.isPending) onClose();
  };
  return (
    <Dialog
      title="Delete your account?"
      onClose={close}
      actions={
        <>
          <Button kind="line" onClick={close}>
            Keep account
          </Button>
          <Button kind="danger" type="submit" form={formId} busy={deletion.isPending} busyLabel="Deleting…">
            Delete account
          </Button>
        </>
      }
    >
      <p className="mb-4 [overflow-wrap:anywhere]">
        <EmailText email={email} /> is signed out everywhere and cannot sign in again. Nothing brings it back.
      </p>
      <DeletionError email={email} error={deletion.error} />
      {asksPassword ? (
        <PasswordForm id={formId} error={deletion.error} onSubmit={(password) => confirm(password)} />
      ) : (
        <EmailForm id={formId} email={email} onSubmit={() => confirm(null)} />
      )}
    </Dialog>
  );
}

function useDeletion(email: string) {
  const deletion = useDeleteAccount(email);
  const [asksPassword, setAsksPassword] = useState(false);
  const confirm = (password: string | null) => {
    if (deletion.isPending) return;
    deletion.mutate(password, {
      onError: (error) => {
        if (getProblemCode(error) === 'sign-in-again') setAsksPassword(true);
      },
      onSuccess: () => {
        toast('success', 'Your account is deleted');
        // The guard redirects from the page.
        void session.signOut();
      },
    });
  };
  return { deletion, asksPassword, confirm };
}

function DeletionError({ email, error }: { email: string; error: Error | null }) {
  const code = getProblemCode(error);
  // The forms show these themselves.
  if (error === null || code === 'sign-in-again' || isWrongPassword(error)) return null;
  return (
    <FormError error={error} className="mb-4 text-base-content">
      {code === 'unpaid-orders' ? <UnpaidOrders email={email} /> : <p>{describeError(error)} Try again.</p>}
    </FormError>
  );
}

/** Unpaid orders prevent deletion: shows their number and a link to them. */
function UnpaidOrders({ email }: { email: string }) {
  const { data: count } = useQuery(unpaidOrderCountQueryOptions(email));
  const orders = count === '1' ? '1 unpaid order' : `${count ?? 'some'} unpaid orders`;
  return (
    <p>
      You have {orders}. Pay or cancel them under{' '}
      <Link className="pf-link" to="/dashboard/my-orders">
        My Orders
      </Link>{' '}
      first.
    </p>
  );
}

/** A refused sign-in can only mean the password. */
const isWrongPassword = (error: Error | null): error is IdentityError =>
  error instanceof IdentityError && error.status === 401;

interface EmailFormProps {
  id: string;
  email: string;
  onSubmit: () => void;
}

function EmailForm({ id, email, onSubmit }: EmailFormProps) {
  const schema = z.object({
    email: z.string().check(z.refine((typed) => sameEmail(typed.trim(), email), `Type ${email}`)),
  });
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: '' } });
  return (
    <form id={id} noValidate className="text-base-content" onSubmit={form.handleSubmit(onSubmit)}>
      <Field
        label="Type your email to confirm"
        // Deletion needs this input, so the focus starts here.
        data-focus-first=""
        type="email"
        autoComplete="off"
        required
        error={form.formState.errors.email?.message}
        {...deferBlur(form.register('email'))}
      />
    </form>
  );
}

const passwordResolver = zodResolver(
  z.object({ password: z.string().check(z.minLength(1, messages.passwordRequired)) }),
);

interface PasswordFormProps {
  id: string;
  error: Error | null;
  onSubmit: (password: string) => void;
}

function PasswordForm({ id, error, onSubmit }: PasswordFormProps) {
  const form = useForm({ resolver: passwordResolver, defaultValues: { password: '' } });
  return (
    <form
      id={id}
      noValidate
      className="text-base-content"
      onSubmit={form.handleSubmit(({ password }) => onSubmit(password))}
    >
      <p className="mb-4" aria-live="polite" aria-atomic="true">
        You signed in more than ten minutes ago. Give your password once more.
      </p>
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        required
        error={
          form.formState.errors.password?.message ?? (isWrongPassword(error) ? error.message : undefined)
        }
        {...deferBlur(form.register('password'))}
      />
    </form>
  );
}
