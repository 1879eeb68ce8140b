import { describeError } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';

/** Why something about the account could not be done, above its form; nothing where there is no error. */
export function AccountError({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <FormError error={error} className="mb-5">
      {describeError(error)} Try again.
    </FormError>
  );
}
