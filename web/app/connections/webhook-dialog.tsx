import { MAX_WEBHOOK_ADDRESS } from '@parts-forge/contract/calls/bounds';
import { EVENT_TYPES } from '@parts-forge/contract/events/event-types';
import { FormDialog } from '#app/forms/form-dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { SecretDialog } from '#app/ui/secret-dialog.tsx';
import { CodeBoxes, SignInAgain, useRecentSignIn } from './dialog-parts.tsx';
import { useCreateWebhook } from './queries.ts';

/** Asks for address and types; shows the secret once. */
export function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const signIn = useRecentSignIn();
  const create = useCreateWebhook(signIn.attempt);
  if (create.data) return <WebhookSecretDialog secret={create.data.secret} onClose={onClose} />;
  return (
    <FormDialog
      title="New webhook"
      safe="Make none"
      confirm="Make webhook"
      state={create}
      onClose={onClose}
      onSend={({ url = '', ...chosen }) =>
        create.mutate({ texts: chosen, url, types: EVENT_TYPES.filter((type) => chosen[type]) })
      }
    >
      {(field) => (
        <>
          {signIn.field}
          <SignInAgain after={create.error} />
          <Field
            label="Address"
            data-focus-first
            required
            type="url"
            placeholder="https://erp.example/events"
            maxLength={MAX_WEBHOOK_ADDRESS}
            {...field('url')}
          />
          <CodeBoxes legend="It is told of" codes={EVENT_TYPES} error={field('types').error} />
        </>
      )}
    </FormDialog>
  );
}

export const WebhookSecretDialog = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <SecretDialog
    title="The secret of the webhook"
    name="secret"
    secret={secret}
    lost="the page of the webhook gives a new one."
    onClose={onClose}
  >
    <p className="mt-4 text-sm">The receiver checks by it that an event is from this shop.</p>
  </SecretDialog>
);
