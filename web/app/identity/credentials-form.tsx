import { type HTMLInputAutoCompleteAttribute, type ReactNode, useRef } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormSetError,
  useForm,
} from 'react-hook-form';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { replaySubmitProps, useReplaySubmit } from '#app/forms/replay-submit.ts';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';

interface CredentialsField<Values> {
  name: Path<Values>;
  label: string;
  type?: 'email' | 'password';
  autoComplete: HTMLInputAutoCompleteAttribute;
  inputMode?: 'numeric';
  /** Shown until the field is wrong. */
  hint?: string;
}

interface CredentialsFormProps<Values extends FieldValues> {
  fields: readonly CredentialsField<Values>[];
  resolver: Resolver<Values, unknown, Values>;
  /** What the fields hold at first; empty where it is not given. */
  initial?: DefaultValues<Values>;
  /** What the button says, and what while it is busy. */
  submitLabel: string;
  busyLabel: string;
  /** May set messages under the fields; whatever else goes wrong is the page's to say. */
  onSubmit: (values: Values, setError: UseFormSetError<Values>) => Promise<void>;
  /** What stands between the fields and the button. */
  children?: ReactNode;
}

/**
 * The form of sign-in, sign-up and a forgotten password. Fields are checked when they are left, then with every change (specification
 * §5); what was typed stays whatever happens.
 */
export function CredentialsForm<Values extends FieldValues>(props: CredentialsFormProps<Values>) {
  const { fields, resolver, initial, submitLabel, busyLabel, onSubmit, children } = props;
  const { register, handleSubmit, formState, setError } = useForm<Values, unknown, Values>({
    resolver,
    mode: 'onTouched',
    ...(initial && { defaultValues: initial }),
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
      onSubmit={handleSubmit((values) => onSubmit(values, setError))}
      {...replaySubmitProps}
    >
      {fields.map(({ name, hint, type, ...field }) => {
        const control = {
          id: name,
          required: true,
          error: getError(name),
          hint: getError(name) ? undefined : hint,
          ...field,
          ...deferBlur(register(name)),
        };
        return type === 'password' ? (
          <PasswordField key={name} {...control} />
        ) : (
          <Field key={name} type={type} {...control} />
        );
      })}
      {children}
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
