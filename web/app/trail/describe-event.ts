import type { OrderEvent, TrailActor } from '@parts-forge/contract/events/trail';

type EventName = OrderEvent['event'];

/** Each follows the actor's name. Unlisted events show their own name. */
const sentences: { readonly [Event in EventName]?: string } = {
  ordered: 'placed the order',
  paid: 'paid',
  accepted: 'accepted the payment',
  refunded: 'gave money back',
  'refund-changed': 'moved a refund on',
  disputed: 'disputed the payment',
  'dispute-ended': 'ended the dispute',
  'cards-declined': 'ended the payment after many declined cards',
  'payment-returned': 'returned a payment',
  'payment-stray': 'received a payment without an order',
  cancelled: 'cancelled the order',
  expired: 'let the order expire',
  'address-corrected': 'corrected the delivery address',
  'parcel-sent': 'sent a parcel',
  'parcel-removed': 'removed a parcel',
  'stock-initial': 'began the stock ledger',
  'stock-restocked': 'restocked a part',
  'stock-corrected': 'corrected the stock',
  'product-changed': 'edited a part',
  'product-added': 'added a part',
  'product-deleted': 'deleted a part',
  'price-agreed': 'agreed on a price',
  'price-removed': 'ended an agreed price',
  'quote-answered': 'answered a request for prices',
  'quote-declined': 'declined a request for prices',
  'role-changed': 'changed a role',
  'tax-changed': 'changed whether tax is charged',
  'user-deleted': 'removed a user',
  'review-deleted': 'removed a review',
  'reset-link-made': 'made a reset link',
  'password-changed': 'changed a password',
  'password-reset': 'set a new password',
  'session-ended': 'ended a session',
  'key-made': 'made a key',
  'key-ended': 'ended a key',
  'webhook-made': 'made a webhook',
  'webhook-changed': 'changed a webhook',
  'webhook-ended': 'removed a webhook',
  'second-factor-on': 'switched a second factor on',
  'second-factor-off': 'switched a second factor off',
  'backup-codes-made': 'made new backup codes',
  'account-taken-over': 'took an account over',
  'address-proven': 'proved an address',
  'identity-deletion-failed': 'could not delete an account at the identity service',
  'mail-undeliverable': 'could not deliver a mail',
};

/** `accepted the payment` of `accepted`. */
export const describeEvent = (event: EventName): string => sentences[event] ?? event.replaceAll('-', ' ');

/** Only a customer "paid"; others reported the payment. A lost dispute is no refund. */
export function describeEntry({ event, by, before, after, orders }: Omit<OrderEvent, 'at'>): string {
  const isLost = event === 'refunded' && (after?.lost ?? 0) > (before?.lost ?? 0);
  const isReport = event === 'paid' && by.kind !== 'user';
  const alone = isReport ? 'reported the payment' : isLost ? 'reported a lost dispute' : describeEvent(event);
  if (orders === undefined) return alone;
  return alone.includes('the order')
    ? alone.replace('the order', `${orders} orders`)
    : `${alone} for ${orders} orders`;
}

/** Stands after the sentence of the event. */
export const describeKey = ({ event, key }: Pick<OrderEvent, 'event' | 'key'>): string | undefined =>
  key && `${event.startsWith('key-') ? '' : ' by key'} “${key}”`;

/** @param shopName of an act of the shop itself */
export function nameActor({ kind, name }: TrailActor, shopName: string): string {
  switch (kind) {
    case 'user':
    case 'admin':
      return name ?? 'A deleted user';
    case 'operator':
      return 'The operator';
    case 'provider':
      return 'Payment provider';
    case 'system':
      return shopName;
    case 'visitor':
      return 'A visitor';
  }
}
