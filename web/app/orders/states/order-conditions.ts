import { countToSend } from '@parts-forge/contract/orders/box';
import { canMove, orderMoves } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';

type State = Pick<Order, 'status' | 'closed'>;

/** Only unpaid open orders can be paid. */
export const isPayable = ({ status, closed }: State): boolean =>
  closed === undefined && canMove(status, 'pay');

export const isPending = ({ status, closed }: State): boolean =>
  closed === undefined && canMove(status, 'accept');

/** Accepted, with pieces that no parcel has. */
export const isInNoParcel = (order: Order): boolean =>
  order.status === orderMoves.accept.to && countToSend(order) > 0;
