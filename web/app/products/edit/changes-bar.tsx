import type { EditedField } from '@parts-forge/contract/products/product-fields';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { Button } from '#app/ui/button.tsx';
import { listFieldNames } from './describe-field.ts';

interface ChangesBarProps {
  changes: readonly EditedField[];
  busy: boolean;
  error: unknown;
  onDiscard: () => void;
}

/** Lists the unsaved changes. */
export function ChangesBar({ changes, busy, error, onDiscard }: ChangesBarProps) {
  const { length } = changes;
  const count = length === 1 ? '1 change' : `${length} changes`;
  return (
    <div
      data-bottom-bar
      className="sticky bottom-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-b-box border-t border-base-300 bg-base-100 px-6 py-4 md:px-8"
    >
      <p
        className="num min-w-0 flex-1 basis-40 text-sm text-muted max-sm:basis-full"
        aria-live="polite"
        aria-atomic="true"
      >
        {length === 0 ? 'Nothing is changed.' : `${count}: ${listFieldNames(changes)}`}
      </p>
      <div className="ml-auto flex gap-3 max-sm:w-full">
        <Button
          kind="line"
          className="max-sm:!px-3"
          aria-disabled={length === 0 || undefined}
          onClick={onDiscard}
        >
          Discard
        </Button>
        <SubmitButton
          error={error}
          busy={busy}
          busyLabel="Saving…"
          className="whitespace-nowrap max-sm:flex-1 max-sm:!px-3"
        >
          Save changes
        </SubmitButton>
      </div>
    </div>
  );
}
