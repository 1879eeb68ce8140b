import { MAX_KEY_NAME } from '@parts-forge/contract/bounds';
import { type Role, type Scope, scopesOf } from '@parts-forge/contract/policies';
import { useNavigate } from 'react-router';
import { describeError, getProblemCode } from '#app/errors/describe-error.ts';
import { FormDialog } from '#app/orders/clerk/form-dialog.tsx';
import { buildLoginPath } from '#app/session/return-path.ts';
import { session } from '#app/session/session.ts';
import { Button } from '#app/ui/button.tsx';
import { CopyTextButton } from '#app/ui/copy-button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field, FieldError } from '#app/ui/field.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { useCreateKey, useEndKey } from './queries.ts';

/** Asks for a key, then shows it once. */
export function NewKeyDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const create = useCreateKey();
  const navigate = useNavigate();
  // A plain sign-out forgets this page.
  const signInAgain = async () => {
    await session.signOut();
    await navigate(buildLoginPath('/dashboard/connections'), { replace: true });
  };
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
          name,
          scopes: scopesOf(role).filter((scope) => chosen[scope]),
          ...(expiresAt && { expiresAt }),
        })
      }
    >
      {(field) => (
        <>
          {getProblemCode(create.error) === 'sign-in-again' && (
            <Button kind="line" size="bar" onClick={signInAgain}>
              Sign in again
            </Button>
          )}
          <Field
            label="Name of the program"
            data-focus-first
            required
            maxLength={MAX_KEY_NAME}
            {...field('name')}
          />
          <fieldset className="pf-field">
            <legend className="text-sm font-medium">It may</legend>
            {scopesOf(role).map((scope) => (
              <label key={scope} className="flex min-h-11 cursor-pointer items-center gap-3">
                <input
                  type="checkbox"
                  name={scope}
                  className="checkbox checkbox-neutral size-6 rounded-[3px]"
                />
                <Scopes scopes={[scope]} />
              </label>
            ))}
            {field('scopes').error && <FieldError>{field('scopes').error}</FieldError>}
          </fieldset>
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
    <Dialog
      title={<bdi>The key “{data.name}”</bdi>}
      actions={
        <>
          <Button
            kind="line"
            busy={end.isPending}
            onClick={() => end.mutate(data._id, { onSuccess: onClose })}
          >
            End it
          </Button>
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        </>
      }
    >
      <p>Copy it now. It is not shown again; end a lost key and make another.</p>
      <code
        translate="no"
        className="my-4 block rounded-field border border-edge bg-base-200 px-3 py-2.5 text-sm text-base-content [overflow-wrap:anywhere]"
      >
        {key}
      </code>
      <CopyTextButton name="key" text={key} />
      <p className="mt-4 text-sm">
        It may <Scopes scopes={data.scopes} />
        {data.expiresAt ? `until ${formatDay(data.expiresAt, 'UTC')}.` : 'without end.'}
      </p>
      {end.error && <p className="mt-4 text-error">{describeError(end.error)}</p>}
    </Dialog>
  );
}

/** As a program writes them. */
export const Scopes = ({ scopes }: { scopes: readonly Scope[] }) =>
  scopes.map((scope) => (
    <code
      key={scope}
      translate="no"
      className="mr-1 inline-block rounded-selector border border-base-300 bg-base-200 px-1.5 text-micro leading-6 text-base-content"
    >
      {scope}
    </code>
  ));
