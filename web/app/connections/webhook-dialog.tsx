import { MAX_WEBHOOK_ADDRESS } from '@parts-forge/contract/bounds';
import { EVENT_TYPES } from '@parts-forge/contract/event-types';
import type { Webhook } from '@parts-forge/contract/webhooks';
import { FormDialog } from '#app/orders/clerk/form-dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { CodeBoxes, SecretDialog, SignInAgain } from './dialog-parts.tsx';
import { useChangeWebhook, useCreateWebhook } from './queries.ts';

/** Asks for address and types; shows the secret of a new webhook once. */
export function WebhookDialog({ of: webhook, onClose }: { of?: Webhook; onClose: () => void }) {
  const create = useCreateWebhook();
  const change = useChangeWebhook(webhook?._id ?? '');
  const state = webhook ? change : create;
  if (create.data) return <WebhookSecretDialog secret={create.data.secret} onClose={onClose} />;
  return (
    <FormDialog
      title={webhook ? 'Change webhook' : 'New webhook'}
      safe={webhook ? 'Keep as it is' : 'Make none'}
      confirm={webhook ? 'Change webhook' : 'Make webhook'}
      state={state}
      onClose={onClose}
      onSend={({ url = '', ...chosen }) => {
        const body = { url, types: EVENT_TYPES.filter((type) => chosen[type]) };
        if (webhook) change.mutate(body, { onSuccess: onClose });
        else create.mutate(body);
      }}
    >
      {(field) => (
        <>
          <SignInAgain after={state.error} />
          <Field
            label="Address"
            data-focus-first
            required
            type="url"
            placeholder="https://erp.example/events"
            maxLength={MAX_WEBHOOK_ADDRESS}
            defaultValue={webhook?.url}
            {...field('url')}
          />
          <CodeBoxes
            legend="It is told of"
            codes={EVENT_TYPES}
            chosen={webhook?.types ?? []}
            error={field('types').error}
          />
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
