import type { RefundState } from '@parts-forge/contract/order-states';
import { describe, expect, test } from 'vitest';
import type { ProviderRefund } from './provider.ts';
import {
  countOwed,
  divideGivenBack,
  type GivenBack,
  type OwnRefund,
  resolveRefund,
  summarizeMoney,
} from './refund-rules.ts';

/** One payment of two orders, of 300 and 200. */
const payment = { amountCents: 500, refundedCents: 0, disputed: false };
const [first, second] = [
  { id: 'first', totalCents: 300 },
  { id: 'second', totalCents: 200 },
] as const;

const ours = (id: string, differences: Partial<OwnRefund> = {}): OwnRefund => ({
  id,
  orderId: 'first',
  amountCents: 300,
  elsewhereCents: 0,
  state: 'pending',
  providerId: null,
  ...differences,
});
/** One at the provider; made by hand where it names no refund of the shop. */
const listed = (
  amountCents: number,
  refundId: string | null = null,
  state: RefundState = 'succeeded',
): ProviderRefund => ({ id: `re_${refundId}_${amountCents}`, amountCents, state, refundId });
const divide = (own: OwnRefund[], refunds: ProviderRefund[], refundedCents = 0) => {
  const { refunds: divided, ...sums } = divideGivenBack({ ...payment, refundedCents }, own, {
    refunds,
    disputes: [],
  });
  return { ...sums, refunds: Object.fromEntries(divided) };
};
const nothing = {
  totalCents: 0,
  arrivedCents: 0,
  elsewhereCents: 0,
  pendingElsewhereCents: 0,
  unassignedCents: 0,
};

describe('what the shop has given back', () => {
  test('is its refund’s, and on its way until it has arrived', () => {
    const made = { a: { madeCents: 300, coveredCents: 0 } };
    expect(divide([ours('a')], [listed(300, 'a')])).toEqual({
      ...nothing,
      totalCents: 300,
      arrivedCents: 300,
      refunds: made,
    });
    expect(divide([ours('a')], [listed(300, 'a', 'pending')])).toEqual({
      ...nothing,
      totalCents: 300,
      refunds: made,
    });
  });

  test('counts before the provider lists it, and once when it does', () => {
    const known = ours('a', { state: 'succeeded', providerId: 're_1' });
    expect(divide([known], [])).toMatchObject({ totalCents: 300, arrivedCents: 300, elsewhereCents: 0 });
    expect(divide([known], [listed(50)])).toMatchObject({ totalCents: 350, elsewhereCents: 50 });
    expect(divide([known], [listed(300, 'a')])).toMatchObject({ totalCents: 300, elsewhereCents: 0 });
  });

  test('is on its way before the provider lists it, unless only the charge tells', () => {
    const known = ours('a', { providerId: 're_1' });
    expect(divide([known], [listed(50)])).toMatchObject({
      totalCents: 350,
      arrivedCents: 50,
      pendingElsewhereCents: 0,
    });
    expect(divide([known], [], 300)).toMatchObject({ arrivedCents: 300, elsewhereCents: 300 });
    expect(divide([known], [])).toMatchObject({ totalCents: 0 });
  });

  test('is nothing while it is only asked for, or has failed', () => {
    expect(divide([ours('a')], [listed(50)])).toMatchObject({ totalCents: 50 });
    const failed = ours('a', { state: 'failed', providerId: 're_1' });
    expect(divide([failed], [listed(50)])).toMatchObject({ totalCents: 50 });
  });
});

describe('what somebody else has given back', () => {
  test('is taken for what the shop’s refunds still owe', () => {
    expect(divide([ours('a')], [listed(100)])).toMatchObject({
      elsewhereCents: 100,
      unassignedCents: 0,
      refunds: { a: { madeCents: 0, coveredCents: 100 } },
    });
  });

  test('is on its way until it has arrived, whatever the shop has made', () => {
    expect(divide([ours('a')], [listed(300, 'a'), listed(100, null, 'pending')])).toMatchObject({
      arrivedCents: 300,
      pendingElsewhereCents: 100,
    });
    expect(divide([], [listed(100, 'of another shop', 'pending')])).toMatchObject({
      pendingElsewhereCents: 100,
    });
  });

  test('is nobody’s as far as it is more than they owe, or was seen when they were asked for', () => {
    expect(divide([ours('a')], [listed(300, 'a'), listed(100)])).toMatchObject({ unassignedCents: 100 });
    expect(divide([ours('a', { elsewhereCents: 100 })], [listed(100)])).toMatchObject({
      unassignedCents: 100,
      refunds: { a: { coveredCents: 0 } },
    });
  });

  test('is somebody’s once all orders were asked to be given back', () => {
    const own = [
      ours('a', { elsewhereCents: 100 }),
      ours('b', { orderId: 'second', amountCents: 200, elsewhereCents: 100 }),
    ];
    expect(divide(own, [listed(100)])).toMatchObject({
      unassignedCents: 0,
      refunds: { a: { coveredCents: 100 }, b: { coveredCents: 0 } },
    });
  });

  test('is the charge’s word only where no refund is listed', () => {
    expect(divide([], [], 250)).toMatchObject({ totalCents: 250, elsewhereCents: 250 });
    expect(divide([], [listed(100)], 250)).toMatchObject({ totalCents: 100 });
  });

  test('goes first to refunds that the shop does not ask for again, then in the order of their ids', () => {
    const [a, b] = [ours('a', { state: 'failed' }), ours('b', { amountCents: 200, state: 'failed' })];
    for (const own of [
      [a, b],
      [b, a],
    ])
      expect(divide(own, [listed(100)]).refunds).toMatchObject({
        a: { coveredCents: 100 },
        b: { coveredCents: 0 },
      });
    const ended = { ...b, state: 'succeeded' as const };
    expect(divide([a, ended], [listed(100)]).refunds).toMatchObject({
      a: { coveredCents: 0 },
      b: { coveredCents: 100 },
    });
    expect(divide([a, b], [listed(50, 'b'), listed(100)]).refunds).toEqual({
      a: { madeCents: 0, coveredCents: 0 },
      b: { madeCents: 50, coveredCents: 100 },
    });
  });
});

describe('what the provider is asked for', () => {
  const owed = (divided: { madeCents: number; coveredCents: number }, sums: Partial<GivenBack> = {}) =>
    countOwed(ours('a'), { receivedCents: 500 }, { ...nothing, ...sums, refunds: new Map([['a', divided]]) });

  test('is what is left of the refund, here and elsewhere', () => {
    expect(owed({ madeCents: 0, coveredCents: 0 })).toBe(300);
    expect(owed({ madeCents: 100, coveredCents: 50 })).toBe(150);
    expect(countOwed(ours('a'), { receivedCents: 500 }, { ...nothing, refunds: new Map() })).toBe(300);
  });

  test('is never more than is left of the payment', () => {
    expect(owed({ madeCents: 0, coveredCents: 0 }, { totalCents: 400 })).toBe(100);
    expect(owed({ madeCents: 0, coveredCents: 0 }, { totalCents: 600 })).toBe(0);
  });

  test('is nothing while what covers it is on its way, and all of it while something else is', () => {
    expect(owed({ madeCents: 0, coveredCents: 100 }, { pendingElsewhereCents: 100 })).toBe(0);
    expect(owed({ madeCents: 0, coveredCents: 100 })).toBe(200);
    expect(owed({ madeCents: 0, coveredCents: 0 }, { pendingElsewhereCents: 100 })).toBe(300);
  });
});

describe('one of the shop’s refunds', () => {
  const resolve = (row: Partial<OwnRefund>, refunds: ProviderRefund[]) => {
    const own = { ...ours('a', row), note: 'as it was' };
    const claims = { refunds, disputes: [] };
    return resolveRefund(own, claims, divideGivenBack(payment, [own], claims));
  };

  test('that somebody else has made is over when the money has arrived', () => {
    const ended = { providerId: null, note: 'given back at the provider' };
    expect(resolve({}, [listed(300)])).toEqual({ ...ended, state: 'succeeded' });
    expect(resolve({}, [listed(300, null, 'pending')])).toEqual({ ...ended, state: 'pending' });
  });

  test('is as far as the provider has it, else as it was', () => {
    expect(resolve({ providerId: 're_1' }, [listed(300, 'a', 'failed')])).toEqual({
      state: 'failed',
      providerId: 're_a_300',
      note: 'as it was',
    });
    const unheard = { state: 'failed', providerId: 're_1', note: 'as it was' } as const;
    expect(resolve(unheard, [listed(100)])).toEqual(unheard);
  });
});

describe('the money of an order that was paid together with another', () => {
  const summarize = (own: OwnRefund[], refunds: ProviderRefund[]) =>
    [first, second].map((order) => {
      const money = summarizeMoney(order, payment, own, { refunds, disputes: [] });
      return [money.refundCents, money.unassignedCents, money.refundState];
    });
  const ended = ours('a', { state: 'succeeded' });
  const ofSecond = ours('b', {
    orderId: 'second',
    amountCents: 200,
    state: 'succeeded',
    providerId: 're_b_200',
  });

  test('is on its way back while what covers its refund is, and the other’s is not', () => {
    expect(summarize([ended, ofSecond], [listed(200, 'b'), listed(300, null, 'pending')])).toEqual([
      [300, 0, 'pending'],
      [200, 0, 'succeeded'],
    ]);
  });

  test('has a part of its own and one that is nobody’s, also when they are equal', () => {
    const part = ours('a', { amountCents: 100, state: 'succeeded', providerId: 're_a_100' });
    expect(summarize([part], [listed(100, 'a'), listed(100)])[0]).toEqual([100, 100, 'succeeded']);
  });

  test('knows what failed at the provider, but for the other’s refund', () => {
    const failed = ours('a', { state: 'failed', providerId: 're_a_300' });
    const attempt = listed(300, 'a', 'failed');
    expect(summarize([failed], [attempt])[1]).toEqual([0, 0, null]);
    expect(summarize([failed], [attempt, listed(250, null, 'failed')])[1]).toEqual([0, 250, 'failed']);
  });
});
