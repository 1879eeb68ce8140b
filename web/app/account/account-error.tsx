import { describeError } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';

/** A failed change of the account, above its form. */
export function AccountError({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <FormError error={error} className="mb-5">
      {describeError(error)} Try again.
    </FormError>
  );
}
