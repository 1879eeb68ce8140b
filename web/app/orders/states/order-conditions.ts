import { countToSend } from '@parts-forge/contract/orders/box';
import { canMove, orderMoves } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';

type State = Pick<Order, 'status' | 'closed'>;

/** Only unpaid open orders can be paid. */
export const isPayable = ({ status, closed }: State): boolean =>
  closed === undefined && canMove(status, 'pay');

export const isPending = ({ status, closed }: State): boolean =>
  closed === undefined && canMove(status, 'accept');

/** Accepted, with pieces for the next parcel. */
export const isToSend = (order: Order): boolean =>
  order.status === orderMoves.accept.to && countToSend(order) > 0;

/** Pieces of an open order that no parcel has, also while they may not be sent. */
export const countInNoParcel = ({ closed, quantity, refund, sent = 0 }: Order): number =>
  closed === undefined ? Math.max(0, quantity - (refund?.back ?? 0) - sent) : 0;

export const isInNoParcel = (order: Order): boolean => countInNoParcel(order) > 0;
