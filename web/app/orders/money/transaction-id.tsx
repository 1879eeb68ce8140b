import { CopyButton } from '#app/ui/copy-button.tsx';

/** The provider's payment id with a copy button. */
export function TransactionId({ id }: { id: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="min-w-0 text-balance text-sm [overflow-wrap:anywhere]">{id}</span>
      <CopyButton name="transaction id" text={id} />
    </span>
  );
}
