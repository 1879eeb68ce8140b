import { type HTMLInputAutoCompleteAttribute, type ReactNode, useEffect, useRef } from 'react';
import { replaySubmitProps, useReplaySubmit } from '#app/forms/replay-submit.ts';
import { keepEntries, restoreEntries } from '#app/forms/typed-entries.ts';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { type LoadCheck, type RefuseField, useCheckedForm } from './use-checked-form.ts';

interface CredentialsField<Values> {
  name: keyof Values & string;
  label: string;
  type?: 'email' | 'password';
  autoComplete: HTMLInputAutoCompleteAttribute;
  inputMode?: 'numeric';
  /** Shown until the field is wrong. */
  hint?: string;
}

interface CredentialsFormProps<Values extends object> {
  fields: readonly CredentialsField<Values>[];
  load: LoadCheck<Values>;
  /** What the fields hold at first; empty where it is not given. One goes on with the first that is empty then. */
  initial?: Partial<Record<keyof Values & string, string>>;
  /** Under which name what was typed is kept over a reload and Back, but for passwords; not at all without one. */
  keptAs?: string;
  /** What the button says, and what while it is busy. */
  submitLabel: string;
  busyLabel: string;
  /** May set messages under the fields; whatever else goes wrong is the page's to say. */
  onSubmit: (values: Values, refuse: RefuseField<Values>) => Promise<void>;
  /** What stands between the fields and the button. */
  children?: ReactNode;
}

/**
 * The form of sign-in, sign-up and passwords. What was typed stays whatever happens. Without the library of the other
 * forms, which is as large as all that is behind it here: these pages are the first that a visitor loads.
 */
export function CredentialsForm<Values extends object>(props: CredentialsFormProps<Values>) {
  const { fields, load, initial, keptAs, submitLabel, busyLabel, onSubmit, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const names = fields.map(({ name }) => name);
  const next = initial && names.find((name) => initial[name] === undefined);
  const { errors, isBusy, register, handleSubmit } = useCheckedForm(form, load, names);
  useReplaySubmit(form);
  useEffect(() => {
    if (keptAs !== undefined) restoreEntries(keptAs, listKeptFields(form.current));
  }, [keptAs]);
  return (
    <form
      ref={form}
      method="post"
      className="mt-8 grid gap-5"
      noValidate
      // What is needed when the first field is left.
      onFocus={() => void load().catch(() => undefined)}
      onInput={() => keptAs !== undefined && keepEntries(keptAs, listKeptFields(form.current))}
      onSubmit={handleSubmit(onSubmit)}
      {...replaySubmitProps}
    >
      {fields.map(({ name, hint, type, ...field }) => {
        const control = {
          id: name,
          required: true,
          error: errors[name],
          hint: errors[name] ? undefined : hint,
          defaultValue: initial?.[name],
          'data-focus-first': name === next ? true : undefined,
          ...field,
          ...register(name),
        };
        return type === 'password' ? (
          <PasswordField key={name} {...control} />
        ) : (
          <Field key={name} type={type} {...control} />
        );
      })}
      {children}
      <Button type="submit" kind="primary" className="mt-1 w-full" busy={isBusy} busyLabel={busyLabel}>
        {submitLabel}
      </Button>
    </form>
  );
}

/** A password that is shown is a text for the browser, too; what it is says its `autocomplete`. */
const listKeptFields = (form: HTMLFormElement | null): HTMLInputElement[] =>
  [...(form?.querySelectorAll('input') ?? [])].filter(
    ({ autocomplete }) => !autocomplete.includes('password'),
  );
