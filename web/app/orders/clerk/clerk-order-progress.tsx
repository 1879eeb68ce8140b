import type { Order } from '@parts-forge/contract/orders';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useId } from 'react';
import { listStages, type Stage } from '#app/orders/order-stages.ts';
import { orderTrailQueryOptions } from '#app/orders/queries.ts';
import { formatDuration } from '#app/ui/format-duration.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { useNow } from '#app/ui/use-now.ts';
import { StatusForAdmin } from './status-for-admin.tsx';

/** The order's stages and the time between them. */
export function ClerkOrderProgress({ order }: { order: Order }) {
  const id = useId();
  const trail = useQuery(orderTrailQueryOptions(order._id));
  const stages = listStages(order, trail.data ?? null);
  const now = useNow().getTime();
  return (
    <section className="pf-panel p-6" aria-labelledby={id}>
      <div className="mb-6 flex items-start justify-between gap-4">
        <h2 id={id} className="display text-h4">
          Progress
        </h2>
        <StatusForAdmin order={order} isInLine />
      </div>
      <ol className="pf-chain num" style={{ '--before': stages.length - 1 } as CSSProperties}>
        {stages.map((stage, index) => (
          <StageItem key={stage.name} stage={stage} next={stages[index + 1]} order={order} now={now} />
        ))}
      </ol>
    </section>
  );
}

interface StageItemProps {
  stage: Stage;
  next: Stage | undefined;
  order: Order;
  /** In milliseconds since 1970. */
  now: number;
}

function StageItem({ stage, next, order, now }: StageItemProps) {
  const isOpen = stage.state === 'open';
  const span = next && describeSpan(stage, next, order, now);
  return (
    <li
      data-state={stage.state}
      data-next={next?.state === 'open' ? 'open' : undefined}
      aria-current={stage.state === 'now' ? 'step' : undefined}
    >
      <p className={`font-semibold ${isOpen ? 'text-muted' : ''}`}>{stage.name}</p>
      <p className="text-sm text-muted">{stage.at ? formatMoment(stage.at) : isOpen ? 'not yet' : ''}</p>
      {span && <span className="span">{span}</span>}
    </li>
  );
}

/** The time between two stages, or the wait so far; null when unknown. */
function describeSpan(stage: Stage, next: Stage, { heldUntil }: Order, now: number): string | null {
  if (stage.at === undefined) return null;
  const from = Date.parse(stage.at);
  if (next.at !== undefined) return formatDuration(Date.parse(next.at) - from);
  if (stage.state !== 'now') return null;
  if (heldUntil !== undefined) return `${formatDuration(Date.parse(heldUntil) - now)} left`;
  return `${formatDuration(now - from)} waiting`;
}
