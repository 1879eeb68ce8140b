import { MAX_KEY_NAME } from '@parts-forge/contract/calls/bounds';
import { type Role, scopesOf } from '@parts-forge/contract/calls/policies';
import { describeError } from '#app/errors/describe-error.ts';
import { FormDialog } from '#app/forms/form-dialog.tsx';
import { Button } from '#app/ui/button.tsx';
import { Field, FieldError } from '#app/ui/field.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { SecretDialog } from '#app/ui/secret-dialog.tsx';
import { CodeBoxes, Codes, SignInAgain, useRecentSignIn } from './dialog-parts.tsx';
import { useCreateKey, useEndKey } from './queries.ts';

/** Asks for a key, then shows it once. */
export function NewKeyDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const signIn = useRecentSignIn();
  const create = useCreateKey(signIn.attempt);
  if (create.data) return <MadeKeyDialog made={create.data} onClose={onClose} />;
  return (
    <FormDialog
      title="New key"
      safe="Make none"
      confirm="Make key"
      state={create}
      onClose={onClose}
      onSend={({ name = '', expiresAt, ...chosen }) =>
        create.mutate({
          texts: chosen,
          name,
          scopes: scopesOf(role).filter((scope) => chosen[scope]),
          ...(expiresAt && { expiresAt }),
        })
      }
    >
      {(field) => (
        <>
          {signIn.field}
          <SignInAgain after={create.error} />
          <Field
            label="Name of the program"
            data-focus-first
            required
            maxLength={MAX_KEY_NAME}
            {...field('name')}
          />
          <CodeBoxes legend="It may" codes={scopesOf(role)} error={field('scopes').error} />
          <Field
            label="Ends (optional)"
            hint="At the start of this day, in UTC."
            type="date"
            max="9999-12-31"
            {...field('expiresAt')}
          />
        </>
      )}
    </FormDialog>
  );
}

type MadeKey = NonNullable<ReturnType<typeof useCreateKey>['data']>;

function MadeKeyDialog({ made: { key, data }, onClose }: { made: MadeKey; onClose: () => void }) {
  const end = useEndKey();
  return (
    <SecretDialog
      title={<bdi>The key “{data.name}”</bdi>}
      name="key"
      secret={key}
      lost="end a lost key and make another."
      onClose={onClose}
      action={
        <Button kind="line" busy={end.isPending} onClick={() => end.mutate(data._id, { onSuccess: onClose })}>
          End it
        </Button>
      }
    >
      <p className="mt-4 text-sm">
        It may <Codes codes={data.scopes} />
        {data.expiresAt ? `until ${formatDay(data.expiresAt, 'UTC')}.` : 'without end.'}
      </p>
      {end.error && <FieldError>{describeError(end.error)}</FieldError>}
    </SecretDialog>
  );
}
