import type { RefundState } from '@parts-forge/contract/order-states';
import { describe, expect, test } from 'vitest';
import type { ProviderDispute, ProviderRefund } from './provider.ts';
import { countRefunded, findOwnRefund, type OwnRefund, summarizeMoney } from './refund-rules.ts';

const anOwnRefund = (differences: Partial<OwnRefund>): OwnRefund => ({
  id: 'r',
  orderId: 'o',
  amountCents: 100,
  elsewhereCents: 0,
  state: 'succeeded',
  providerId: null,
  ...differences,
});
const refund = (amountCents: number, state: RefundState, refundId: string | null = null): ProviderRefund => ({
  id: `re_${amountCents}`,
  amountCents,
  state,
  refundId,
});
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
  const whole = {
    refundCents: 0,
    unassignedCents: 0,
    refundState: null,
    failedCents: 0,
    disputed: false,
    isGone: false,
  };

  test('is nothing while all of it is there', () => {
    expect(summarizeMoney(total, charge, [], nothing)).toEqual(whole);
  });

  test.each([
    ['pending', 'pending', 0, false],
    ['succeeded', 'succeeded', 0, true],
    ['failed', 'failed', 100, false],
  ] as const)("the shop's own refund of all of it is %s", (state, refundState, failedCents, isGone) => {
    const own = [anOwnRefund({ amountCents: 100, state })];
    expect(summarizeMoney(total, charge, own, { ...nothing, refunds: [refund(100, state, 'r')] })).toEqual({
      refundCents: 100,
      unassignedCents: 0,
      refundState,
      failedCents,
      disputed: false,
      isGone,
    });
  });

  test("what others give back in place of the shop's refund did not fail", () => {
    const own = [anOwnRefund({ amountCents: 70, state: 'failed', elsewhereCents: 30 })];
    const refunds = [refund(30, 'succeeded'), refund(70, 'failed', 'r')];
    const read = (more: ProviderRefund[]) =>
      summarizeMoney(total, charge, own, { ...nothing, refunds: [...refunds, ...more] });
    expect(read([])).toMatchObject({ refundCents: 100, failedCents: 70 });
    expect(read([refund(20, 'succeeded')])).toMatchObject({ refundCents: 100, failedCents: 50 });
    expect(read([refund(70, 'succeeded')])).toMatchObject({ refundCents: 100, failedCents: 0 });
  });

  test.each([
    [[refund(40, 'succeeded')], { refundCents: 40, refundState: 'succeeded', isGone: false }],
    [[refund(40, 'pending')], { refundCents: 40, refundState: 'pending', isGone: false }],
    [[refund(40, 'failed')], { unassignedCents: 40, refundState: 'failed', isGone: false }],
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
    const own = [anOwnRefund({ amountCents: 40 })];
    const refunds = [refund(40, 'succeeded', 'r'), refund(30, 'succeeded')];
    expect(summarizeMoney(total, charge, own, { ...nothing, refunds })).toMatchObject({
      refundCents: 70,
      isGone: false,
    });
  });

  test('does not count again what the charge says where refunds are listed, or the refund is its own', () => {
    const given = { ...charge, refundedCents: 40 };
    const own = [anOwnRefund({ amountCents: 40 })];
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

describe('of a payment of several orders', () => {
  const [first, second] = [
    { id: 'first', totalCents: 300 },
    { id: 'second', totalCents: 200 },
  ] as const;
  const charge = { amountCents: 500, refundedCents: 0, disputed: false };
  const ofOrder = (orderId: string, amountCents: number, state: RefundState = 'succeeded') =>
    anOwnRefund({ id: `r-${orderId}`, orderId, amountCents, state });
  const summarize = (own: OwnRefund[], others: ProviderRefund[], disputes: ProviderDispute[] = []) => {
    const made = own.map((each) => refund(each.amountCents, each.state, each.id));
    return [first, second].map((each) => {
      const money = summarizeMoney(each, charge, own, { refunds: [...made, ...others], disputes });
      return [money.refundCents, money.unassignedCents, money.refundState, money.isGone];
    });
  };

  test("the shop's refund of one is that one's", () => {
    expect(summarize([ofOrder('first', 300)], [])).toEqual([
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
    expect(summarize([ofOrder('first', 300)], [refund(50, 'succeeded')])).toEqual([
      [300, 50, 'succeeded', true],
      [0, 50, 'succeeded', false],
    ]);
  });

  test("is the refund's order's where somebody else makes it in the shop's place, and only its state is that one's", () => {
    const covered = ofOrder('first', 300);
    const madeByShop = ofOrder('second', 150);
    const refunds = [refund(150, 'succeeded', madeByShop.id), refund(300, 'pending')];
    const claims = { refunds, disputes: [] };
    const states = [first, second].map(
      (each) => summarizeMoney(each, charge, [covered, madeByShop], claims).refundState,
    );
    expect(states).toEqual(['pending', 'succeeded']);
  });

  test("is shown also where as much is nobody's as the order has back", () => {
    expect(summarize([ofOrder('first', 50)], [refund(50, 'succeeded')])).toEqual([
      [50, 50, 'succeeded', false],
      [0, 50, 'succeeded', false],
    ]);
  });

  test("that failed is that order's alone, and what failed at the provider nobody's", () => {
    const own = ofOrder('first', 300, 'failed');
    expect(summarize([own], [])).toEqual([
      [300, 0, 'failed', false],
      [0, 0, null, false],
    ]);
    expect(summarize([own], [refund(250, 'failed')])[1]).toEqual([0, 250, 'failed', false]);
  });

  test('when nothing is left each has its total back', () => {
    const allGone = [
      [300, 0, 'succeeded', true],
      [200, 0, 'succeeded', true],
    ];
    expect(summarize([], [refund(500, 'succeeded')])).toEqual(allGone);
    expect(summarize([ofOrder('first', 300)], [refund(200, 'succeeded')])).toEqual(allGone);
    expect(summarize([ofOrder('first', 300), ofOrder('second', 150)], [refund(50, 'succeeded')])).toEqual(
      allGone,
    );
    expect(summarize([], [], [dispute(500, 'lost')])).toEqual(allGone);
  });

  test("a lost dispute of a part is nobody's either", () => {
    expect(summarize([], [], [dispute(100, 'lost')])).toEqual([
      [0, 100, 'succeeded', false],
      [0, 100, 'succeeded', false],
    ]);
  });
});
