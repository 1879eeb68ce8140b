import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { ShopProblem } from '#app/http/errors.ts';

/**
 * Also focuses the first such field. False if no message belonged to a field.
 * @param fields in reading order
 */
export function showFieldErrors<Values extends FieldValues>(
  form: UseFormReturn<Values, unknown, Values>,
  error: unknown,
  fields: readonly FieldPath<Values>[],
): boolean {
  if (!(error instanceof ShopProblem)) return false;
  const invalid = fields.filter((field) => error.errors.some(({ path }) => path === field));
  for (const field of invalid) {
    const message = error.errors.find(({ path }) => path === field)?.message ?? '';
    form.setError(field, { type: 'server', message }, { shouldFocus: field === invalid[0] });
  }
  return invalid.length > 0;
}
