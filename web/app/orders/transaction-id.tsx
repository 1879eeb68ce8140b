import { CopyButton } from '#app/ui/copy-button.tsx';

/** The payment provider's id of a payment, with a button that copies it. */
export function TransactionId({ id }: { id: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="min-w-0 text-balance text-sm [overflow-wrap:anywhere]">{id}</span>
      <CopyButton name="transaction id" text={id} />
    </span>
  );
}
