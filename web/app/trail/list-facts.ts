import type { OrderEvent } from '@parts-forge/contract/events/trail';
import { formatAmount, formatPieces } from '@parts-forge/contract/money/money';
import { formatMoment } from '#app/ui/format-moment.ts';

type Facts = NonNullable<OrderEvent['before']>;
type Value = Facts[string];

/** One fact of an entry, in words. */
export interface Fact {
  name: string;
  /** The old value; absent if there was none. */
  before?: string;
  /** The new value; absent if it was removed. */
  after?: string;
}

/** Facts that the event's name already tells. */
const leftOut = new Set(['status', 'closed']);
const amounts = new Set('amount refund refunded lost returned received price totalPrice'.split(' '));
const names: Readonly<Record<string, string>> = {
  quantity: 'pieces',
  refundState: 'refund',
  refund: 'refunded',
  returned: 'came back',
  totalPrice: 'total',
  writtenAt: 'written',
  sentAt: 'sent',
  signIn: 'sign-in',
};
const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** The facts that differ, or stand on one side only. */
export function listFacts({ before = {}, after = {} }: Pick<OrderEvent, 'before' | 'after'>): Fact[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !leftOut.has(name) && before[name] !== after[name])
    .map((name) => ({
      name: names[name] ?? name.replace(/([A-Z])/g, ' $1').toLowerCase(),
      ...format('before', name, before),
      ...format('after', name, after),
    }));
}

const format = (side: 'before' | 'after', name: string, facts: Facts) =>
  facts[name] === undefined ? {} : { [side]: formatValue(name, facts[name]) };

function formatValue(name: string, value: Value): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    if (amounts.has(name)) return formatAmount(value);
    return Number.isInteger(value) ? formatPieces(value) : String(value);
  }
  return instant.test(value) ? formatMoment(value) : value;
}
