import { CopyButton } from '#app/ui/copy-button.tsx';

interface TransactionIdProps {
  id: string;
  /** One truncated line for table columns; the full id can still be copied. */
  isShort?: boolean;
}

/** The provider's payment id with a copy button. */
export function TransactionId({ id, isShort = false }: TransactionIdProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span
        className={`min-w-0 text-sm ${isShort ? '@min-[55rem]:max-w-28 @min-[55rem]:truncate @max-[55rem]:[overflow-wrap:anywhere]' : 'text-balance [overflow-wrap:anywhere]'}`}
        title={isShort ? id : undefined}
      >
        {id}
      </span>
      <CopyButton name="transaction id" text={id} />
    </span>
  );
}
