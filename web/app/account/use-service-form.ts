import type { UseMutationResult } from '@tanstack/react-query';
import { type FieldPath, type FieldValues, type UseFormProps, useForm } from 'react-hook-form';
import { getIdentityCode } from '#app/errors/describe-error.ts';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { useSingleFlight } from '#app/forms/use-single-flight.ts';

interface ServiceFormOptions<Values extends FieldValues, Answer>
  extends Required<Pick<UseFormProps<Values, unknown, Values>, 'resolver' | 'defaultValues'>> {
  change: Pick<UseMutationResult<Answer, Error, Values>, 'mutateAsync' | 'error'>;
  /** The field that a refusal of the identity service belongs to, by the service's code. */
  refusedFields: Readonly<Record<string, FieldPath<Values>>>;
  onDone: (answer: Answer) => void;
}

/** A form of one change at the identity service. A refusal stands under its field, which gets the focus. */
export function useServiceForm<Values extends FieldValues, Answer>({
  change,
  refusedFields,
  onDone,
  ...options
}: ServiceFormOptions<Values, Answer>) {
  const form = useForm<Values, unknown, Values>({ mode: 'onTouched', ...options });
  const once = useSingleFlight();
  const { errors } = form.formState;
  const save = async (values: Values) => {
    try {
      onDone(await change.mutateAsync(values));
    } catch (error) {
      const field = refusedFields[getIdentityCode(error) ?? ''];
      if (field === undefined) return;
      form.setError(field, { type: 'server', message: (error as Error).message }, { shouldFocus: true });
    }
  };
  return {
    /** Null while a field shows it. */
    error: Object.keys(errors).length === 0 ? change.error : null,
    submit: form.handleSubmit((values) => once(() => save(values))),
    reset: form.reset,
    /** @param hint stands in the place of an error */
    getField: (name: FieldPath<Values>, hint?: string) => ({
      required: true,
      error: errors[name]?.message as string | undefined,
      hint: errors[name] ? undefined : hint,
      ...deferBlur(form.register(name)),
    }),
  };
}
