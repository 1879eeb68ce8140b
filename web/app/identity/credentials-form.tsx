import { type HTMLInputAutoCompleteAttribute, useRef } from 'react';
import { type FieldValues, type Path, type Resolver, useForm } from 'react-hook-form';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { replaySubmitProps, useReplaySubmit } from '#app/forms/replay-submit.ts';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';

interface CredentialsField<Values> {
  name: Path<Values>;
  label: string;
  type?: 'email' | 'password';
  autoComplete: HTMLInputAutoCompleteAttribute;
  /** Shown until the field is wrong. */
  hint?: string;
}

interface CredentialsFormProps<Values extends FieldValues> {
  fields: readonly CredentialsField<Values>[];
  resolver: Resolver<Values, unknown, Values>;
  /** What the button says, and what while it is busy. */
  submitLabel: string;
  busyLabel: string;
  onSubmit: (values: Values) => Promise<void>;
}

/**
 * The form of sign-in and sign-up. Fields are checked when they are left, then with every change (specification
 * §5); what was typed stays whatever happens.
 */
export function CredentialsForm<Values extends FieldValues>(props: CredentialsFormProps<Values>) {
  const { fields, resolver, submitLabel, busyLabel, onSubmit } = props;
  const { register, handleSubmit, formState } = useForm<Values, unknown, Values>({
    resolver,
    mode: 'onTouched',
  });
  const form = useRef<HTMLFormElement>(null);
  useReplaySubmit(form);
  const getError = (name: Path<Values>) => formState.errors[name]?.message?.toString();
  return (
    <form
      ref={form}
      method="post"
      className="mt-8 grid gap-5"
      noValidate
      onSubmit={handleSubmit(onSubmit)}
      {...replaySubmitProps}
    >
      {fields.map(({ name, hint, ...field }) => (
        <Field
          key={name}
          id={name}
          required
          error={getError(name)}
          hint={getError(name) ? undefined : hint}
          {...field}
          {...deferBlur(register(name))}
        />
      ))}
      <Button
        type="submit"
        kind="primary"
        className="mt-1 w-full"
        busy={formState.isSubmitting}
        busyLabel={busyLabel}
      >
        {submitLabel}
      </Button>
    </form>
  );
}
