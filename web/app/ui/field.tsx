import { CircleAlert, Lock } from 'lucide';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';

export interface LabelProps {
  label: ReactNode;
  /** Tied to the field; also switches on the error look. */
  error?: string | undefined;
  hint?: ReactNode;
}

interface FieldProps extends LabelProps, ComponentProps<'input'> {
  /** Stands before the value, such as `$`. */
  lead?: ReactNode;
  /** After the value: a button. */
  trail?: ReactNode;
}

/**
 * A labelled input. Other props go to the input: `{...form.register('email')}`. Read-only fields show a lock.
 */
export function Field({ label, error, hint, lead, trail, id, ...input }: FieldProps) {
  const field = useFieldIds(id, error, hint);
  const control = {
    ...input,
    id: field.id,
    'aria-describedby': joinIds(input['aria-describedby'], field.describedBy),
    'aria-invalid': error ? (true as const) : undefined,
  };
  return (
    <div className="pf-field">
      <label htmlFor={field.id}>{label}</label>
      {lead || trail || input.readOnly ? (
        <div className="input">
          {lead}
          <input {...control} />
          {input.readOnly && <Icon of={Lock} className="size-4 shrink-0 text-muted" />}
          {trail}
        </div>
      ) : (
        <input {...control} className={`input ${input.className ?? ''}`.trimEnd()} />
      )}
      <FieldNotes ids={field} error={error} hint={hint} />
    </div>
  );
}

interface TextAreaProps extends LabelProps, ComponentProps<'textarea'> {}

/** A `Field` with several lines. */
export function TextArea({ label, error, hint, id, ...area }: TextAreaProps) {
  const field = useFieldIds(id, error, hint);
  return (
    <div className="pf-field">
      <label htmlFor={field.id}>{label}</label>
      <textarea
        {...area}
        className={`textarea ${area.className ?? ''}`.trimEnd()}
        id={field.id}
        aria-describedby={joinIds(area['aria-describedby'], field.describedBy)}
        aria-invalid={error ? true : undefined}
      />
      <FieldNotes ids={field} error={error} hint={hint} />
    </div>
  );
}

/** Tie it to the field with `aria-describedby`. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="pf-error" id={id}>
      <Icon of={CircleAlert} className="" />
      <span>{children}</span>
    </p>
  );
}

interface FieldIds {
  id: string;
  error: string;
  hint: string;
  describedBy: string | undefined;
}

export function useFieldIds(
  givenId: string | undefined,
  error: string | undefined,
  hint: ReactNode,
): FieldIds {
  const generatedId = useId();
  const id = givenId ?? generatedId;
  // The error comes first: a screen reader's user acts on it.
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return { id, error: `${id}-error`, hint: `${id}-hint`, describedBy: describedBy || undefined };
}

function joinIds(...ids: (string | undefined)[]): string | undefined {
  return ids.filter(Boolean).join(' ') || undefined;
}

export function FieldNotes({
  ids,
  error,
  hint,
}: {
  ids: FieldIds;
  error: string | undefined;
  hint: ReactNode;
}) {
  return (
    <>
      {error && <FieldError id={ids.error}>{error}</FieldError>}
      {hint && (
        <p className="pf-hint" id={ids.hint}>
          {hint}
        </p>
      )}
    </>
  );
}
