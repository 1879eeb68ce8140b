import { messages } from '@parts-forge/contract/calls/messages';
import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { ORDER_STATUSES, type OrderStatus, statusLabel } from '@parts-forge/contract/orders/order-states';
import type { Overview } from '@parts-forge/contract/orders/overview';
import { ArrowRight } from 'lucide';
import { useId } from 'react';
import { Link } from 'react-router';
import { Icon } from '#app/ui/icon.tsx';

/** Open orders as a stacked bar and a list of links. */
export function OrdersByStatus({ orders, waiting }: Pick<Overview, 'orders' | 'waiting'>) {
  const id = useId();
  const total = ORDER_STATUSES.reduce((sum, status) => sum + orders[status], 0);
  return (
    <figure className="pf-panel flex flex-col p-6" aria-labelledby={id}>
      <figcaption className="mb-6 flex items-baseline justify-between gap-2">
        <h2 id={id} className="display text-h4">
          Orders by status
        </h2>
        <span className="num text-sm text-muted">{formatCount(total, 'order')}</span>
      </figcaption>
      <StatusBar orders={orders} />
      <ul className="mt-5">
        {ORDER_STATUSES.map((status) => (
          <StatusRow key={status} status={status} count={orders[status]} total={total} />
        ))}
      </ul>
      <p className="mt-auto border-t border-base-300 pt-4 text-sm">
        <Link
          className="pf-link inline-flex min-h-8 items-center gap-1.5 font-medium"
          to="/dashboard/manage-orders?status=pending"
        >
          {formatCount(waiting.count, 'payment')} to accept
          <Icon of={ArrowRight} className="size-4" />
        </Link>
      </p>
    </figure>
  );
}

function StatusBar({ orders }: Pick<Overview, 'orders'>) {
  return (
    <div className="flex h-8 gap-0.5 rounded-selector bg-base-200" aria-hidden="true">
      {ORDER_STATUSES.map(
        (status) =>
          orders[status] > 0 && (
            <span
              key={status}
              className={`forced-color-adjust-none min-w-0.5 first:rounded-l-selector last:rounded-r-selector ${tones[status]}`}
              style={{ flex: orders[status] }}
            />
          ),
      )}
    </div>
  );
}

function StatusRow({ status, count, total }: { status: OrderStatus; count: number; total: number }) {
  return (
    <li className="flex items-center justify-between border-base-300 py-2.5 [&+li]:border-t">
      <Link
        to={`/dashboard/manage-orders?status=${status}`}
        className="pf-status hover:underline"
        data-status={statusLabel(status)}
      >
        {status === 'paid' ? messages.shipped : statusLabel(status)}
      </Link>
      <span className="num">
        <span className="font-semibold">{formatPieces(count)}</span>
        <span className="ml-3 inline-block w-10 text-right text-sm text-muted">
          {total === 0 ? 0 : Math.round((count / total) * 100)}%
        </span>
      </span>
    </li>
  );
}

const tones: Record<OrderStatus, string> = {
  due: 'bg-[var(--pf-chart-unpaid)]',
  pending: 'bg-[var(--pf-chart-pending)]',
  paid: 'bg-[var(--pf-chart-paid)]',
};
