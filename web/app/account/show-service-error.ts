import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { getIdentityCode } from '#app/errors/describe-error.ts';

/**
 * Shows a refusal of the identity service under its field, and focuses it.
 * @param fields field by the service's code
 */
export function showServiceError<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values, unknown, Values>, 'setError'>,
  error: unknown,
  fields: Readonly<Record<string, FieldPath<Values>>>,
): void {
  const field = fields[getIdentityCode(error) ?? ''];
  if (field === undefined) return;
  form.setError(field, { type: 'server', message: (error as Error).message }, { shouldFocus: true });
}
