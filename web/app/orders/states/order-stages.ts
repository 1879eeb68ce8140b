import type { OrderEvent } from '@parts-forge/contract/events/trail';
import { canMove } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';

export interface Stage {
  name: string;
  /** `now` is the stage that the order waits at. */
  state: 'done' | 'now' | 'open';
  /** ISO time; absent for open stages and orders older than the trail. */
  at?: string;
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

/** Names of the last stage of a closed order. */
const endings = { cancelled: 'Cancelled', expired: 'Expired', refunded: 'Refunded' } as const;
const isEnding = ({ name }: Stage) => Object.values(endings).some((ending) => name.startsWith(ending));

/**
 * The customer's view of the order's stages, oldest first.
 * @param trail newest first; null while unknown
 */
export function listStages(order: Order, trail: readonly OrderEvent[] | null, shopName: string): Stage[] {
  const done = listDone(order, trail, shopName);
  if (order.closed !== undefined) return done;
  if (order.disputed) done.push(toDispute(order, trail ?? []));
  if (!hasNext(order)) return done;
  const last = done.at(-1);
  if (last) last.state = 'now';
  const note = canMove(order.status, 'pay') ? 'after payment' : 'being confirmed';
  const open: Stage[] = [
    { name: 'Paid', state: 'open' },
    { name: 'Accepted and shipped', state: 'open', note },
  ];
  // The trail can be newer than the order.
  return [...done, ...open.filter(({ name }) => !done.some((stage) => stage.name === name))];
}

/** The order waits while the bank disputes its payment. */
function toDispute({ inquiry }: Order, trail: readonly OrderEvent[]): Stage {
  const at = trail.find(({ event }) => event === 'disputed')?.at;
  return { name: inquiry ? 'The bank asks' : 'Disputed', state: 'now', ...(at !== undefined && { at }) };
}

const hasNext = ({ status }: Order) => canMove(status, 'pay') || canMove(status, 'accept');

function listDone(order: Order, trail: readonly OrderEvent[] | null, shopName: string): Stage[] {
  const stages = (trail ?? []).toReversed().flatMap((event) => toStage(event, shopName));
  if (!stages.some(({ name }) => name === 'Ordered')) {
    stages.unshift({ name: 'Ordered', state: 'done', at: order.createdAt });
  }
  // Orders older than the trail have passed these stages too.
  const needs = (name: string, isReached: boolean, after: string) => {
    if (!isReached || stages.some((stage) => stage.name === name)) return;
    const index = stages.findIndex((stage) => stage.name === after);
    stages.splice(index + 1, 0, { name, state: 'done' });
  };
  needs('Paid', !canMove(order.status, 'pay'), 'Ordered');
  needs('Accepted and shipped', order.status === 'paid', 'Paid');
  const [parcel, ...others] = order.shipments ?? [];
  if (parcel) {
    const index = stages.findIndex(({ name }) => name === 'Accepted and shipped');
    const note = others.length === 0 ? parcel.carrier : `${others.length + 1} parcels`;
    stages.splice(index + 1, 0, { name: 'Sent', state: 'done', note });
  }
  // The trail may have been read before the order closed.
  if (order.closed !== undefined)
    needs(endings[order.closed], !stages.some(isEnding), stages.at(-1)?.name ?? '');
  const ending = order.closed && names[order.closed];
  if (ending && !stages.some(({ name }) => name.startsWith(ending))) {
    stages.push({ name: ending, state: 'done' });
  }
  return stages;
}

function toStage({ event, at, by }: OrderEvent, shopName: string): Stage[] {
  const name = names[event];
  if (name === undefined) return [];
  const isByShop = event === 'cancelled' && by.kind === 'admin';
  return [{ name: isByShop ? `Cancelled by ${shopName}` : name, state: 'done', at }];
}
