import type { RefundState } from '@parts-forge/contract/orders/order-states';
import { expect, test } from 'vitest';
import type { ProviderDispute, ProviderRefund } from '#src/payments/provider/provider.ts';
import { untouchedMoney } from '#test/untouched-money.ts';
import {
  countOwed,
  countRefunded,
  findOwnRefund,
  resolveRefund,
  type ShopRefund,
  splitRefunds,
  summarizeMoney,
} from './refund-rules.ts';

/**
 * Each row is one look at the provider:
 *
 * - the shop's refunds by order: `after 100` was refunded at the provider before, `issued` has its id there
 * - the provider: shop refunds by order, external refunds, disputes and the charge
 * - the amounts still to request from the provider, by order
 * - the money of each order
 */
const ofOneOrder = `
# one order keeps its money without a refund
                | -                                       |       |

# one order follows its refund to the end
A 100           | -                                       | A 100 | A 100 refunded, pending
A 100           | A 100 pending                           | A 0   | A 100 refunded, pending
A 100           | A 100                                   | A 0   | A 100 refunded, succeeded, gone
A 100           | A 100 failed                            | A 100 | A 100 refunded, 100 failed, failed
A 100           | A 30                                    | A 70  | A 100 refunded, 70 failed, failed

# one order gets external refunds, at most its total
                | external 40                             |       | A 40 refunded, succeeded
                | external 40 pending                     |       | A 40 refunded, pending
                | external 40, external 60                |       | A 100 refunded, succeeded, gone
                | external 140                            |       | A 100 refunded, succeeded, gone
A 40            | A 40, external 30                       | A 0   | A 70 refunded, succeeded

# one order shows a failed external refund while it has no other
                | external 40 failed                      |       | A 40 unassigned, failed
                | external 40 failed, external 60         |       | A 60 refunded, succeeded

# a later external refund covers a failed one
A 70 after 30   | external 30, A 70 failed                | A 70  | A 100 refunded, 70 failed, failed
A 70 after 30   | external 30, A 70 failed, external 20   | A 50  | A 100 refunded, 50 failed, failed
A 70 after 30   | external 30, A 70 failed, external 70   | A 0   | A 100 refunded, succeeded, gone

# the charge counts when no refund is listed
                | charge 100                              |       | A 100 refunded, succeeded, gone
                | charge 90, external 40                  |       | A 40 refunded, succeeded
A 40            | charge 40                               | A 0   | A 40 refunded, succeeded

# disputes count in place of the charge's mark
                | marked                                  |       | A disputed
                | dispute 10 won, dispute 10 open         |       | A disputed
                | marked, dispute 100 won                 |       |
                | marked, dispute 100 lost                |       | A 100 refunded, succeeded, gone
`;
const ofTwoOrders = `
# a refund concerns its order alone
A 300           | A 300                                   | A 0   | A 300 refunded, succeeded, gone
A 300           | A 300 failed                            | A 300 | A 300 refunded, 300 failed, failed

# an external refund without a request is unassigned on both
                | external 250                            |       | A 250 unassigned, succeeded; B 250 unassigned, succeeded
                | external 250 pending                    |       | A 250 unassigned, pending; B 250 unassigned, pending
                | foreign 250 pending                     |       | A 250 unassigned, pending; B 250 unassigned, pending
                | external 250 failed                     |       | A 250 unassigned, failed; B 250 unassigned, failed
                | dispute 100 lost                        |       | A 100 unassigned, succeeded; B 100 unassigned, succeeded
A 300           | A 300 failed, external 250 failed       | A 300 | A 300 refunded, 300 failed, failed; B 250 unassigned, failed

# the surplus over finished refunds is unassigned
A 300           | A 300, external 50                      | A 0   | A 300 refunded, 50 unassigned, succeeded, gone; B 50 unassigned, succeeded
A 50            | A 50, external 50                       | A 0   | A 50 refunded, 50 unassigned, succeeded; B 50 unassigned, succeeded

# an external refund covers a requested one, and the surplus is unassigned
A 300           | external 100                            | A 200 | A 300 refunded, pending
A 300           | external 350                            | A 0   | A 300 refunded, 50 unassigned, succeeded, gone; B 50 unassigned, succeeded

# the order of a covered refund waits for the pending external one
A 300, B 150    | B 150, external 300 pending             | A 0, B 0 | A 300 refunded, pending; B 150 refunded, succeeded
A 300           | external 100 pending                    | A 0   | A 300 refunded, pending
A 300 succeeded | external 100 pending                    | A 0   | A 300 refunded, pending, gone

# a refund is owed again once what covered it came back
A 300 succeeded | external 300 failed                     | A 300 | A 300 refunded, 300 failed, failed; B 300 unassigned, failed
A 300 succeeded | external 300 failed, dispute 500 open   | A 300 | A 300 refunded, succeeded, disputed, gone; B 300 unassigned, failed, disputed

# an external refund from before a request covers nothing of it
A 300 after 100 | external 100                            | A 300 | A 300 refunded, 100 unassigned, pending; B 100 unassigned, succeeded
A 300 after 100 | external 100 pending                    | A 300 | A 300 refunded, 100 unassigned, pending; B 100 unassigned, pending
A 300 after 100 | external 60                             | A 300 | A 300 refunded, 60 unassigned, pending; B 60 unassigned, succeeded

# an external refund from before covers when all of the payment is requested
A 300 after 100, B 200 after 100 | external 100           | A 200, B 200 | A 300 refunded, pending; B 200 refunded, pending

# an external refund covers refunds that the shop will not request again, then by id
B 200 failed, A 300 failed       | external 100           | A 200, B 200 | A 300 refunded, 200 failed, failed; B 200 refunded, 200 failed, failed
A 300 failed, B 200 succeeded    | external 100           | A 300, B 100 | A 300 refunded, 200 failed, failed; B 200 refunded, 200 failed, failed
A 300 failed, B 200 failed       | B 50, external 100     | A 300, B 50  | A 300 refunded, 300 failed, failed; B 200 refunded, 50 failed, failed

# a confirmed refund counts before the provider lists it, and once afterwards
A 300 succeeded issued           | -                      | A 0   | A 300 refunded, succeeded, gone
A 300 succeeded issued           | external 240           | A 0   | A 300 refunded, succeeded, gone
A 300 succeeded issued after 50  | external 50            | A 0   | A 300 refunded, 50 unassigned, succeeded, gone; B 50 unassigned, succeeded
A 300 succeeded issued           | A 300, external 50     | A 0   | A 300 refunded, 50 unassigned, succeeded, gone; B 50 unassigned, succeeded
A 300 issued                     | external 50            | A 0   | A 300 refunded, pending
A 300 issued                     | charge 300             | A 0   | A 300 refunded, succeeded, gone
A 300 failed issued              | external 50            | A 250 | A 300 refunded, 250 failed, failed

# each order gets its total when all of the payment is back
                | external 500                            |       | A 300 refunded, succeeded, gone; B 200 refunded, succeeded, gone
A 300           | A 300, external 200                     | A 0   | A 300 refunded, succeeded, gone; B 200 refunded, succeeded, gone
A 300, B 150    | A 300, B 150, external 50               | A 0, B 0 | A 300 refunded, succeeded, gone; B 200 refunded, succeeded, gone
                | dispute 500 lost                        |       | A 300 refunded, succeeded, gone; B 200 refunded, succeeded, gone

# the shop requests at most what was received and is not refunded
A 300           | A 50, received 250                      | A 200 | A 300 refunded, 250 failed, failed
A 300           | A 150, received 100                     | A 0   | A 300 refunded, succeeded, gone
`;

const external = (amountCents: number, state: RefundState = 'succeeded'): ProviderRefund => ({
  id: 're_external',
  amountCents,
  state,
  refundId: null,
});
const issued = (order: string, amountCents: number, state?: RefundState): ProviderRefund => ({
  ...external(amountCents, state),
  id: `re_${order}`,
  refundId: order,
});
const request = (order: string, amountCents: number, words: readonly string[] = []): ShopRefund => ({
  id: order,
  orderId: order,
  amountCents,
  elsewhereCents: words.includes('after') ? Number(words.at(-1)) : 0,
  state: words.includes('failed') ? 'failed' : words.includes('succeeded') ? 'succeeded' : 'pending',
  providerId: words.includes('issued') ? 're_earlier' : null,
});

const splitCell = (cell: string) => cell.split(', ').filter((text) => text !== '' && text !== '-');
const readRequest = (text: string) => {
  const [order = '', cents, ...words] = text.split(' ');
  return request(order, Number(cents), words);
};
function readProvider(cell: string, paidCents: number) {
  const payment = { amountCents: paidCents, receivedCents: paidCents, refundedCents: 0, disputed: false };
  const claims: { refunds: ProviderRefund[]; disputes: ProviderDispute[] } = { refunds: [], disputes: [] };
  for (const text of splitCell(cell)) {
    const [what = '', number, state] = text.split(' ');
    const cents = Number(number);
    if (what === 'marked') payment.disputed = true;
    else if (what === 'charge') payment.refundedCents = cents;
    else if (what === 'received') payment.receivedCents = cents;
    else if (what === 'dispute')
      claims.disputes.push({ id: 'dp', amountCents: cents, state: state as ProviderDispute['state'] });
    else if (what === 'external') claims.refunds.push(external(cents, state as RefundState));
    else claims.refunds.push(issued(what, cents, state as RefundState));
  }
  return { payment, claims };
}
const describeMoney = (money: ReturnType<ReturnType<typeof summarizeMoney>>): string => {
  const amounts = {
    refunded: money.refundCents,
    unassigned: money.unassignedCents,
    failed: money.failedCents,
  };
  return [
    ...Object.entries(amounts).flatMap(([name, cents]) => (cents > 0 ? `${cents} ${name}` : [])),
    ...[money.refundState ?? [], money.disputed ? 'disputed' : [], money.isGone ? 'gone' : []].flat(),
  ].join(', ');
};

/** Applies the rules to the row as `followRefund` and `applyClaims` do. */
function applyRules(row: string, paid: Record<string, number>): string[] {
  const [shop = '', provider = ''] = row.split('|').map((cell) => cell.trim());
  const paidCents = Object.values(paid).reduce((sum, cents) => sum + cents, 0);
  const { payment, claims } = readProvider(provider, paidCents);
  const requested = splitCell(shop).map(readRequest);
  const split = splitRefunds(payment, requested, claims);
  const resolved = requested.map((refund) => ({
    ...refund,
    ...resolveRefund({ ...refund, note: null }, payment, claims, split),
  }));
  const owed = requested.map((refund) => `${refund.id} ${countOwed(refund, payment, split)}`);
  const orders = Object.entries(paid).map(([id, totalCents]) => ({ id, totalCents, ...untouchedMoney }));
  const money = orders.flatMap(({ id, ...order }) => {
    const text = describeMoney(summarizeMoney(payment, resolved, claims, orders)({ id, ...order }));
    return text === '' ? [] : `${id} ${text}`;
  });
  return [shop, provider, owed.toSorted().join(', '), money.join('; ')];
}

const readTable = (table: string, paid: Record<string, number>) =>
  table
    .trim()
    .split(/\n*# /)
    .flatMap((group) => {
      const [title = '', ...rows] = group.trim().split('\n');
      return rows.map((row) => ({ title, row: row.replaceAll(/ +/g, ' '), paid }));
    });

test.each([...readTable(ofOneOrder, { A: 100 }), ...readTable(ofTwoOrders, { A: 300, B: 200 })])(
  '$title: $row',
  ({ row, paid }) => {
    expect(applyRules(row, paid)).toEqual(row.split('|').map((cell) => cell.trim()));
  },
);

test('the refunded amount sums the effective refunds, or uses the charge’s', () => {
  const refunds = [external(1, 'pending'), external(10), external(100, 'failed')];
  expect(countRefunded({ refundedCents: 111 }, refunds)).toBe(11);
  expect(countRefunded({ refundedCents: 111 }, [])).toBe(111);
});

test('the best attempt of a refund decides', () => {
  const [failed, pending, succeeded] = [issued('A', 1, 'failed'), issued('A', 2, 'pending'), issued('A', 3)];
  const find = (...refunds: ProviderRefund[]) => findOwnRefund({ id: 'A' }, refunds);
  expect(find(failed, succeeded, pending)).toBe(pending);
  expect(find(failed, succeeded)).toBe(succeeded);
  expect(find(failed)).toBe(failed);
  expect(find(external(1), issued('B', 2))).toBeNull();
});

test('a resolved refund keeps its note, unless an external refund covers it', () => {
  const row = { ...request('A', 300, ['failed', 'issued']), note: 'declined' };
  const resolve = (...refunds: ProviderRefund[]) => {
    const claims = { refunds, disputes: [] };
    const payment = { amountCents: 500, receivedCents: 500, refundedCents: 0 };
    return resolveRefund(row, payment, claims, splitRefunds(payment, [row], claims));
  };
  expect(resolve(external(100))).toEqual({ state: 'failed', providerId: 're_earlier', note: 'declined' });
  expect(resolve(issued('A', 300))).toEqual({ state: 'succeeded', providerId: 're_A', note: 'declined' });
  const ended = { providerId: null, note: 'refunded at the provider' };
  expect(resolve(external(300))).toEqual({ ...ended, state: 'succeeded' });
  expect(resolve(external(300, 'pending'))).toEqual({ ...ended, state: 'pending' });
  expect(resolve(external(300), external(100, 'pending'))).toEqual({ ...ended, state: 'succeeded' });
});

test('a confirmed refund that no list has is at most the rest', () => {
  const row = request('A', 300, ['succeeded', 'issued']);
  const claims = { refunds: [external(400)], disputes: [] };
  const split = splitRefunds({ amountCents: 500, refundedCents: 0 }, [row], claims);
  expect(split).toMatchObject({ refundedCents: 500, arrivedCents: 500 });
  expect(split.shopRefunds.get('A')).toMatchObject({ issuedCents: 100, coveredCents: 200 });
});

test('an unknown refund is owed as a whole', () => {
  const split = splitRefunds({ amountCents: 500, refundedCents: 0 }, [], { refunds: [], disputes: [] });
  expect(countOwed(request('A', 300), { receivedCents: 500 }, split)).toBe(300);
});
