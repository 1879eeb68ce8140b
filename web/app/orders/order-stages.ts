import { canMove } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import type { OrderEvent } from '@parts-forge/contract/trail';

/** A stage that an order has come through, is at, or has before it. */
export interface Stage {
  name: string;
  /** `now` is where an order waits for somebody. */
  state: 'done' | 'now' | 'open';
  /** An instant of the wire; absent for one that is before it, and for one from before the trail began. */
  at?: string;
  /** What there is to know beside the time. */
  note?: string;
}

const names: Partial<Record<OrderEvent['event'], string>> = {
  ordered: 'Ordered',
  paid: 'Paid',
  accepted: 'Accepted and shipped',
  refunded: 'Refunded',
  cancelled: 'Cancelled',
  expired: 'Expired',
};

/** How the last stage of an order that ended reads. */
const endings = { cancelled: 'Cancelled', expired: 'Expired', refunded: 'Refunded' } as const;
const isEnding = ({ name }: Stage) => Object.values(endings).some((ending) => name.startsWith(ending));

/**
 * The way of an order as its customer reads it: what has happened, in its order, and what is still to come.
 * @param trail of the order, newest first; null while it is not known
 */
export function listStages(order: Order, trail: readonly OrderEvent[] | null): Stage[] {
  const done = listDone(order, trail);
  if (order.closed !== undefined) return done;
  if (order.disputed) done.push(toDispute(trail ?? []));
  if (!hasNext(order)) return done;
  const last = done.at(-1);
  if (last) last.state = 'now';
  const note = canMove(order.status, 'pay') ? 'after payment' : 'being confirmed';
  const open: Stage[] = [
    { name: 'Paid', state: 'open' },
    { name: 'Accepted and shipped', state: 'open', note },
  ];
  // The trail may be newer than the order.
  return [...done, ...open.filter(({ name }) => !done.some((stage) => stage.name === name))];
}

/** The customer's bank has questioned the payment: until that has ended the order waits for it. */
function toDispute(trail: readonly OrderEvent[]): Stage {
  const at = trail.find(({ event }) => event === 'disputed')?.at;
  return { name: 'Disputed', state: 'now', ...(at !== undefined && { at }) };
}

const hasNext = ({ status }: Order) => canMove(status, 'pay') || canMove(status, 'accept');

function listDone(order: Order, trail: readonly OrderEvent[] | null): Stage[] {
  const stages = (trail ?? []).toReversed().flatMap(toStage);
  if (!stages.some(({ name }) => name === 'Ordered')) {
    stages.unshift({ name: 'Ordered', state: 'done', at: order.createdAt });
  }
  // An order that is older than the trail has come this way all the same.
  const needs = (name: string, isReached: boolean, after: string) => {
    if (!isReached || stages.some((stage) => stage.name === name)) return;
    const index = stages.findIndex((stage) => stage.name === after);
    stages.splice(index + 1, 0, { name, state: 'done' });
  };
  needs('Paid', !canMove(order.status, 'pay'), 'Ordered');
  needs('Accepted and shipped', order.status === 'paid', 'Paid');
  // What has ended just now may not be in the trail that was read before.
  if (order.closed !== undefined)
    needs(endings[order.closed], !stages.some(isEnding), stages.at(-1)?.name ?? '');
  const ending = order.closed && names[order.closed];
  if (ending && !stages.some(({ name }) => name.startsWith(ending))) {
    stages.push({ name: ending, state: 'done' });
  }
  return stages;
}

function toStage({ event, at, by }: OrderEvent): Stage[] {
  const name = names[event];
  if (name === undefined) return [];
  const isByShop = event === 'cancelled' && by.kind === 'admin';
  return [{ name: isByShop ? 'Cancelled by Parts Forge' : name, state: 'done', at }];
}
