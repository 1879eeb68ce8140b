import type { Order } from '@parts-forge/contract/orders';
import type { OrderEvent } from '@parts-forge/contract/trail';

/** A stage of an order on its way: where it was, is, or has yet to go. */
export interface Stage {
  name: string;
  /** When it was reached; absent where it was not, or nobody has noted it. */
  at?: string;
  state: 'done' | 'now' | 'open';
}

/** How an ended order's last stage is called, and the event that led there. */
const endings = { cancelled: 'Cancelled', expired: 'Expired', refunded: 'Refunded' } as const;

/**
 * The stages of an order, the first one first, by its state and what the trail says of when. What ended has nothing left
 * to go.
 * @param trail newest first, as the call answers it; empty while it is not there
 */
export function listStages(order: Order, trail: readonly OrderEvent[]): Stage[] {
  const stages = [
    { name: 'Ordered', at: order.createdAt },
    { name: 'Paid', at: findMoment(trail, 'paid') },
    { name: 'Accepted and shipped', at: findMoment(trail, 'accepted') },
  ];
  const reached = { due: 1, pending: 2, paid: 3 }[order.status];
  if (order.closed !== undefined) {
    const end = { name: endings[order.closed], at: findMoment(trail, order.closed) };
    return finish([...stages.slice(0, reached), end], reached + 1);
  }
  return finish(stages, reached);
}

const findMoment = (trail: readonly OrderEvent[], wanted: OrderEvent['event']) =>
  trail.find(({ event }) => event === wanted)?.at;

const finish = (stages: readonly { name: string; at: string | undefined }[], reached: number): Stage[] =>
  stages.map(({ name, at }, index) => ({
    name,
    ...(at !== undefined && index < reached && { at }),
    state: index >= reached ? 'open' : index === reached - 1 ? 'now' : 'done',
  }));

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The time between two instants in at most two units: `7 min`, `5 h`, `1 day 3 h`. */
export function formatSpan(fromMs: number, toMs: number): string {
  const ms = Math.max(0, toMs - fromMs);
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  if (days === 0) return `${hours} h`;
  return `${days} ${days === 1 ? 'day' : 'days'}${hours > 0 ? ` ${hours} h` : ''}`;
}
