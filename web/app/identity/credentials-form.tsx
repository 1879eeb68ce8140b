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
  /** Hidden by an error. */
  hint?: string;
}

interface CredentialsFormProps<Values extends object> {
  fields: readonly CredentialsField<Values>[];
  load: LoadCheck<Values>;
  /** Initial values. The first empty field gets the focus. */
  initial?: Partial<Record<keyof Values & string, string>>;
  /** Keeps the input under this name across reload and Back, except passwords. */
  keptAs?: string;
  submitLabel: string;
  busyLabel: string;
  /** May set messages under fields; the page shows other errors. */
  onSubmit: (values: Values, refuse: RefuseField<Values>) => Promise<void>;
  /** Between fields and button. */
  children?: ReactNode;
}

/**
 * Input survives errors. Without the form library, which would double the code of these pages: a visitor
 * loads them first.
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
      // Loads the rules before the first field is left.
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

/** Uses `autocomplete`, as a shown password has the type `text`. */
const listKeptFields = (form: HTMLFormElement | null): HTMLInputElement[] =>
  [...(form?.querySelectorAll('input') ?? [])].filter(
    ({ autocomplete }) => !autocomplete.includes('password'),
  );
