import { ORDER_STATUSES } from '@parts-forge/contract/order-states';
import { describe, expect, test } from 'vitest';
import {
  canSettle,
  countRefunded,
  findOwnRefund,
  isForTotal,
  isGivenBack,
  isPayable,
  summarizeMoney,
} from './payment-rules.ts';
import type { ProviderDispute, ProviderRefund } from './provider.ts';

const order = { totalCents: 113_943, currency: 'usd', status: 'due', closedAt: null } as const;
const payment = { amountCents: 113_943, receivedCents: 113_943, currency: 'usd', refundedCents: 0 };

test('a payment of the whole total, received and not given back, makes a waiting order pending', () => {
  expect(canSettle(payment, order, [order])).toBe(true);
});

test('a payment of which a part was given back makes it pending all the same', () => {
  expect(canSettle({ ...payment, refundedCents: 113_942 }, order, [order])).toBe(true);
});

describe('a payment does not make an order pending', () => {
  test.each([
    ['that was all given back', { refundedCents: 113_943 }],
    ['of a cent less', { amountCents: 113_942 }],
    ['of a cent more', { amountCents: 113_944 }],
    ['of which a cent less was received', { receivedCents: 113_942 }],
    ['of which a cent more was received', { receivedCents: 113_944 }],
    ['of which nothing was received', { receivedCents: 0 }],
    ['in another currency', { currency: 'eur' }],
  ])('%s', (_what, change) => {
    expect(canSettle({ ...payment, ...change }, order, [order])).toBe(false);
  });

  test.each([
    ['pending', { status: 'pending' }],
    ['paid', { status: 'paid' }],
    ['closed', { closedAt: new Date() }],
  ] as const)('that is %s already', (_what, change) => {
    const changed = { ...order, ...change };
    expect(canSettle(payment, changed, [changed])).toBe(false);
  });
});

test('an order waits for a payment while it is due and not closed', () => {
  expect(ORDER_STATUSES.map((status) => isPayable({ status, closedAt: null }))).toEqual([true, false, false]);
  expect(ORDER_STATUSES.map((status) => isPayable({ status, closedAt: new Date() }))).toEqual([
    false,
    false,
    false,
  ]);
});

describe('a payment is for the total of an order', () => {
  test.each([
    [113_943, 'usd', true],
    [113_942, 'usd', false],
    [113_944, 'usd', false],
    [113_943, 'eur', false],
  ])('%i cents in %s: %s', (amountCents, currency, expected) => {
    expect(isForTotal({ amountCents, currency }, [order])).toBe(expected);
  });
});

test.each([
  [100, 100, true],
  [100, 101, true],
  [100, 99, false],
  [100, 0, false],
  [0, 0, false],
])(
  'of %i cents received %i went back: everything is given back is %s',
  (receivedCents, refundedCents, is) => {
    expect(isGivenBack({ receivedCents, refundedCents })).toBe(is);
  },
);

const refund = (
  amountCents: number,
  state: ProviderRefund['state'],
  refundId: string | null = null,
): ProviderRefund => ({ id: `re_${amountCents}`, amountCents, state, refundId });
const dispute = (amountCents: number, state: ProviderDispute['state']): ProviderDispute => ({
  id: 'dp_1',
  amountCents,
  state,
});

describe('what went back of a payment', () => {
  test('is the sum of its refunds that have not failed', () => {
    const refunds = [refund(1, 'pending'), refund(10, 'succeeded'), refund(100, 'failed')];
    expect(countRefunded({ refundedCents: 111 }, refunds)).toBe(11);
  });

  test("is the charge's word where no refund is listed", () => {
    expect(countRefunded({ refundedCents: 111 }, [])).toBe(111);
  });
});

describe("the shop's own refund at the provider", () => {
  test('is the attempt that succeeded, else the one on its way, else the one that failed', () => {
    const [failed, pending, succeeded] = [
      refund(1, 'failed', 'r'),
      refund(2, 'pending', 'r'),
      refund(3, 'succeeded', 'r'),
    ];
    expect(findOwnRefund({ id: 'r' }, [failed, pending, succeeded])).toBe(succeeded);
    expect(findOwnRefund({ id: 'r' }, [failed, pending])).toBe(pending);
    expect(findOwnRefund({ id: 'r' }, [failed])).toBe(failed);
  });

  test('is none where the provider has made none yet, whatever others it has', () => {
    expect(
      findOwnRefund({ id: 'r' }, [refund(1, 'succeeded'), refund(2, 'succeeded', 'another')]),
    ).toBeNull();
  });
});

describe("what has become of an order's money", () => {
  const total = { id: 'o', totalCents: 100 };
  const charge = { amountCents: 100, refundedCents: 0, disputed: false };
  const nothing = { refunds: [], disputes: [] };
  const whole = { refundCents: 0, unassignedCents: 0, refundState: null, disputed: false, isGone: false };

  test('is nothing while all of it is there', () => {
    expect(summarizeMoney(total, charge, [], nothing)).toEqual(whole);
  });

  test.each([
    ['pending', 'pending', false],
    ['succeeded', 'succeeded', true],
    ['failed', 'failed', false],
  ] as const)("the shop's own refund of all of it is %s", (state, refundState, isGone) => {
    const own = [{ id: 'r', orderId: 'o', amountCents: 100, state }];
    expect(summarizeMoney(total, charge, own, { ...nothing, refunds: [refund(100, state, 'r')] })).toEqual({
      refundCents: 100,
      unassignedCents: 0,
      refundState,
      disputed: false,
      isGone,
    });
  });

  test.each([
    [[refund(40, 'succeeded')], { refundCents: 40, refundState: 'succeeded', isGone: false }],
    [[refund(40, 'pending')], { refundCents: 40, refundState: 'pending', isGone: false }],
    [[refund(40, 'failed')], { refundCents: 40, refundState: 'failed', isGone: false }],
    [
      [refund(40, 'failed'), refund(60, 'succeeded')],
      { refundCents: 60, refundState: 'succeeded', isGone: false },
    ],
    [
      [refund(40, 'succeeded'), refund(60, 'succeeded')],
      { refundCents: 100, refundState: 'succeeded', isGone: true },
    ],
    [[refund(140, 'succeeded')], { refundCents: 100, refundState: 'succeeded', isGone: true }],
  ] as const)('follows refunds that were made at the provider: %j', (refunds, expected) => {
    expect(summarizeMoney(total, charge, [], { ...nothing, refunds })).toEqual({ ...whole, ...expected });
  });

  test("counts the shop's own refund once, beside what was given back at the provider", () => {
    const own = [{ id: 'r', orderId: 'o', amountCents: 40, state: 'succeeded' as const }];
    const refunds = [refund(40, 'succeeded', 'r'), refund(30, 'succeeded')];
    expect(summarizeMoney(total, charge, own, { ...nothing, refunds })).toMatchObject({
      refundCents: 70,
      isGone: false,
    });
  });

  test('does not count again what the charge says where refunds are listed, or the refund is its own', () => {
    const given = { ...charge, refundedCents: 40 };
    const own = [{ id: 'r', orderId: 'o', amountCents: 40, state: 'succeeded' as const }];
    const listed = { ...nothing, refunds: [refund(40, 'succeeded')] };
    expect(summarizeMoney(total, given, [], listed).refundCents).toBe(40);
    expect(summarizeMoney(total, given, own, nothing).refundCents).toBe(40);
  });

  test('is disputed while one of several disputes is open', () => {
    const disputes = [dispute(10, 'won'), dispute(10, 'open')];
    expect(summarizeMoney(total, charge, [], { ...nothing, disputes }).disputed).toBe(true);
  });

  test('counts what the charge says was given back where no refund is listed', () => {
    const given = { ...charge, refundedCents: 100 };
    expect(summarizeMoney(total, given, [], nothing)).toMatchObject({ refundCents: 100, isGone: true });
  });

  test.each([
    ['open', { disputed: true, refundCents: 0, isGone: false }],
    ['won', { disputed: false, refundCents: 0, isGone: false }],
    ['lost', { disputed: false, refundCents: 100, isGone: true }],
  ] as const)('a dispute of all of it is %s', (state, expected) => {
    // The charge says that it was disputed for ever, so the disputes themselves count where they are listed.
    const disputes = [dispute(100, state)];
    expect(summarizeMoney(total, { ...charge, disputed: true }, [], { ...nothing, disputes })).toMatchObject(
      expected,
    );
  });

  test("is disputed by the charge's word where no dispute is listed", () => {
    expect(summarizeMoney(total, { ...charge, disputed: true }, [], nothing).disputed).toBe(true);
  });
});

describe('a payment of several orders', () => {
  const orders = [
    { ...order, totalCents: 300 },
    { ...order, totalCents: 200, closedAt: new Date() },
  ] as const;
  const together = { ...payment, amountCents: 500, receivedCents: 500 };

  test('pays those that still wait, when it is for all of them', () => {
    expect(orders.map((each) => canSettle(together, each, orders))).toEqual([true, false]);
    expect(canSettle(together, orders[0], [orders[0]])).toBe(false);
    expect(canSettle({ ...together, refundedCents: 200 }, orders[0], orders)).toBe(true);
    expect(canSettle({ ...together, refundedCents: 500 }, orders[0], orders)).toBe(false);
  });

  const [first, second] = [
    { id: 'first', totalCents: 300 },
    { id: 'second', totalCents: 200 },
  ] as const;
  const charge = { amountCents: 500, refundedCents: 0, disputed: false };
  const anOwnRefund = (
    orderId: string,
    amountCents: number,
    state: ProviderRefund['state'] = 'succeeded',
  ) => ({
    id: `r-${orderId}`,
    orderId,
    amountCents,
    state,
  });
  const summarize = (
    own: ReturnType<typeof anOwnRefund>[],
    others: ProviderRefund[],
    disputes: ProviderDispute[] = [],
  ) => {
    const made = own.map((each) => refund(each.amountCents, each.state, each.id));
    return [first, second].map((each) => {
      const money = summarizeMoney(each, charge, own, { refunds: [...made, ...others], disputes });
      return [money.refundCents, money.unassignedCents, money.refundState, money.isGone];
    });
  };

  test("the shop's refund of one is that one's", () => {
    expect(summarize([anOwnRefund('first', 300)], [])).toEqual([
      [300, 0, 'succeeded', true],
      [0, 0, null, false],
    ]);
  });

  test("a part that went back at the provider is nobody's, and shown on each", () => {
    expect(summarize([], [refund(250, 'succeeded')])).toEqual([
      [0, 250, 'succeeded', false],
      [0, 250, 'succeeded', false],
    ]);
    expect(summarize([], [refund(250, 'pending')])).toEqual([
      [0, 250, 'pending', false],
      [0, 250, 'pending', false],
    ]);
    expect(summarize([], [refund(250, 'failed')])).toEqual([
      [0, 250, 'failed', false],
      [0, 250, 'failed', false],
    ]);
    expect(summarize([anOwnRefund('first', 300)], [refund(50, 'succeeded')])).toEqual([
      [300, 50, 'succeeded', true],
      [0, 50, 'succeeded', false],
    ]);
  });

  test('when nothing is left each has its total back', () => {
    const allGone = [
      [300, 0, 'succeeded', true],
      [200, 0, 'succeeded', true],
    ];
    expect(summarize([], [refund(500, 'succeeded')])).toEqual(allGone);
    expect(summarize([anOwnRefund('first', 300)], [refund(200, 'succeeded')])).toEqual(allGone);
    expect(
      summarize([anOwnRefund('first', 300), anOwnRefund('second', 150)], [refund(50, 'succeeded')]),
    ).toEqual(allGone);
    expect(summarize([], [], [dispute(500, 'lost')])).toEqual(allGone);
  });

  test("a lost dispute of a part is nobody's either", () => {
    expect(summarize([], [], [dispute(100, 'lost')])).toEqual([
      [0, 100, 'succeeded', false],
      [0, 100, 'succeeded', false],
    ]);
  });
});
