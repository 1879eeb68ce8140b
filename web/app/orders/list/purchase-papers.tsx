import type { Order } from '@parts-forge/contract/orders/orders';
import { FileText } from 'lucide';
import { useDownload } from '#app/downloads/use-download.ts';
import { RowMenu } from '#app/rows/row-menu.tsx';
import { Icon } from '#app/ui/icon.tsx';

interface InvoiceProps {
  /** An order that the paper is of. */
  order: string;
  label: string;
}

export function Invoice({ order, label }: InvoiceProps) {
  const { download, isPreparing } = useDownload();
  return (
    <button
      type="button"
      className="btn btn-ghost btn-square size-8"
      aria-label={label}
      title="Invoice"
      aria-busy={isPreparing || undefined}
      onClick={() => !isPreparing && download({ what: 'invoice', order })}
    >
      <Icon of={FileText} className="size-4" />
    </button>
  );
}

/** A paper for each payment: one sign, or a menu. */
export function PurchasePapers({ purchase }: Pick<Order, 'purchase'>) {
  const { download } = useDownload();
  const { payments = [] } = purchase?.row ?? {};
  const [first, ...more] = payments;
  if (!first) return null;
  const name = `purchase ${purchase?.number}`;
  if (more.length === 0) return <Invoice order={first.order} label={`Invoice of ${name}`} />;
  return (
    <RowMenu label={`Invoices of ${name}`} icon={FileText}>
      {payments.map(({ transactionId, order }) => (
        <button key={order} type="button" onClick={() => download({ what: 'invoice', order })}>
          {`Invoice of payment …${transactionId.slice(-7)}`}
        </button>
      ))}
    </RowMenu>
  );
}
