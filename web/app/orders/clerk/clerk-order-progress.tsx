import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { orderTrailQueryOptions } from '#app/orders/queries.ts';
import { OrderChain } from '#app/orders/states/order-chain.tsx';
import { listStages, type Stage } from '#app/orders/states/order-stages.ts';
import { formatDuration } from '#app/ui/format-duration.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { useShop } from '#app/ui/shop.tsx';
import { useNow } from '#app/ui/use-now.ts';
import { StatusForAdmin } from './status-for-admin.tsx';

/** The order's stages and the time between them. */
export function ClerkOrderProgress({ order }: { order: Order }) {
  const id = useId();
  const trail = useQuery(orderTrailQueryOptions(order._id));
  const stages = listStages(order, trail.data ?? null, useShop().name);
  const now = useNow().getTime();
  return (
    <section className="pf-panel p-6" aria-labelledby={id}>
      <div className="mb-6 flex items-start justify-between gap-4">
        <h2 id={id} className="display text-h4">
          Progress
        </h2>
        <StatusForAdmin order={order} />
      </div>
      <OrderChain stages={stages} describeSpan={(stage, next) => describeSpan(stage, next, order, now)}>
        {({ at, state, note = '' }) => (
          <p className="text-sm text-muted">{at ? formatMoment(at) : state === 'open' ? 'not yet' : note}</p>
        )}
      </OrderChain>
    </section>
  );
}

/** Or the wait so far. @param now in milliseconds since 1970 */
function describeSpan(stage: Stage, next: Stage, { heldUntil }: Order, now: number): string | null {
  if (stage.at === undefined) return null;
  const from = Date.parse(stage.at);
  if (next.at !== undefined) return formatDuration(Date.parse(next.at) - from);
  if (stage.state !== 'now') return null;
  if (heldUntil !== undefined) return `${formatDuration(Date.parse(heldUntil) - now)} left`;
  return `${formatDuration(now - from)} waiting`;
}
