import type { User } from '@parts-forge/contract/people/users';
import { useMutation, useQuery } from '@tanstack/react-query';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { session } from '#app/session/session.ts';
import { Button } from '#app/ui/button.tsx';
import { Panel } from '#app/ui/panel.tsx';

/**
 * Replaces the password form in an account without one. Administrators are mailed no reset links
 * (docs/explanation/mail.md).
 */
export function GooglePassword({ user: { email, role } }: { user: Pick<User, 'email' | 'role'> }) {
  const { data: config } = useQuery(configQueryOptions());
  const request = useMutation({ mutationFn: () => session.requestPasswordReset(email) });
  const canBeMailed = role !== 'admin' && config?.identity.mail === true;
  return (
    <Panel heading="Password" about="You sign in with Google, and this account has no password.">
      <FormError error={request.error} className="mb-5" advice="Try again." />
      {canBeMailed &&
        (request.data === undefined ? (
          <Button
            kind="line"
            className="max-sm:w-full"
            busy={request.isPending}
            busyLabel="Sending…"
            onClick={() => request.mutate()}
          >
            Mail me a link to set one
          </Button>
        ) : (
          <p aria-live="polite" aria-atomic="true" className="[overflow-wrap:anywhere]">
            A link is on its way to {email}. It works once, for an hour; all your sign-ins end with it.
          </p>
        ))}
    </Panel>
  );
}
