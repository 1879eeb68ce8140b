import type { OrderEvent } from '@parts-forge/contract/events/trail';
import type { Order } from '@parts-forge/contract/orders/orders';
import { ClosingChip, MoneyChip } from '#app/orders/money/order-money.tsx';
import { OrderChain } from '#app/orders/states/order-chain.tsx';
import { listStages, type Stage } from '#app/orders/states/order-stages.ts';
import { OrderStatusChip } from '#app/orders/states/order-status-chip.tsx';
import { PENDING_NOTE } from '#app/orders/states/pending-note.ts';
import { formatDuration } from '#app/ui/format-duration.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { useShop } from '#app/ui/shop.tsx';

const DAY_MS = 24 * 60 * 60 * 1000;

interface OrderProgressProps {
  order: Order;
  /** Newest first; null while unknown. */
  trail: readonly OrderEvent[] | null;
  now: Date;
}

/** Stages as a dimension chain, with the durations between them. */
export function OrderProgress({ order, trail, now }: OrderProgressProps) {
  const stages = listStages(order, trail, useShop().name);
  return (
    <section className="pf-panel p-6" aria-labelledby="progress-heading">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="progress-heading" className="display text-h4">
          Progress
        </h2>
        <span className="flex flex-wrap gap-2">
          {order.closed ? (
            <ClosingChip closed={order.closed} refund={order.refund} />
          ) : (
            <OrderStatusChip status={order.status} />
          )}
          {order.closed !== 'refunded' && <MoneyChip order={order} />}
        </span>
      </div>
      <OrderChain stages={stages} describeSpan={(stage, next) => describeSpan(stage, next, order, now)}>
        {(stage) => <StageFacts stage={stage} order={order} />}
      </OrderChain>
      {order.closed === undefined && order.status === 'pending' && (
        <p className="mt-6 text-muted">{PENDING_NOTE}</p>
      )}
    </section>
  );
}

function StageFacts({ stage, order }: { stage: Stage; order: Order }) {
  const held = stage.name === 'Paid' && stage.state === 'open' ? order.heldUntil : undefined;
  return (
    <>
      {stage.at && (
        <p className="text-sm text-muted">
          <time dateTime={stage.at}>{formatMoment(stage.at)}</time>
        </p>
      )}
      {held && (
        <p className="text-sm text-muted">
          held until <time dateTime={held}>{formatMoment(held)}</time>
        </p>
      )}
      {stage.note && <p className="text-sm text-muted">{stage.note}</p>}
    </>
  );
}

/** The time to the next stage, or until the order expires. */
function describeSpan({ at }: Stage, next: Stage, order: Order, now: Date): string | null {
  if (at === undefined) return null;
  const passed = next.at === undefined ? 0 : Date.parse(next.at) - Date.parse(at);
  // Shorter times say nothing to a customer.
  if (passed >= DAY_MS) return formatDuration(passed);
  if (next.at !== undefined || next.name !== 'Paid' || order.heldUntil === undefined) return null;
  const left = Date.parse(order.heldUntil) - now.getTime();
  return left > 0 ? `${formatDuration(left)} left` : null;
}
