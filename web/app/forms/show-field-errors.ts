import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { ShopProblem } from '#app/errors/errors.ts';

/**
 * Puts the shop's own findings under the fields they are about and the focus on the first of them.
 * @param fields the form's fields in reading order
 * @returns whether there was anything to show
 */
export function showFieldErrors<Values extends FieldValues>(
  form: UseFormReturn<Values, unknown, Values>,
  error: unknown,
  fields: readonly FieldPath<Values>[],
): boolean {
  if (!(error instanceof ShopProblem)) return false;
  const wrong = fields.filter((field) => error.errors.some(({ path }) => path === field));
  for (const field of wrong) {
    const message = error.errors.find(({ path }) => path === field)?.message ?? '';
    form.setError(field, { type: 'server', message }, { shouldFocus: field === wrong[0] });
  }
  return wrong.length > 0;
}
