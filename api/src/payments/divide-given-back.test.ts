import type { RefundState } from '@parts-forge/contract/order-states';
import { describe, expect, test } from 'vitest';
import type { ProviderRefund } from './provider.ts';
import { type Claims, countOwed, divideGivenBack, type OwnRefund, resolveRefund } from './refund-rules.ts';

/** A refund of 100 cents of the shop, as it was noted when it was asked for. */
const anOwnRefund = (id: string, differences: Partial<OwnRefund> = {}): OwnRefund => ({
  id,
  orderId: `order-${id}`,
  amountCents: 100,
  elsewhereCents: 0,
  state: 'pending',
  providerId: null,
  ...differences,
});
/** Made by hand at the provider, unless it is said of which refund of the shop it is. */
const made = (
  amountCents: number,
  state: RefundState = 'succeeded',
  refundId: string | null = null,
): ProviderRefund => ({ id: `re_${refundId}_${amountCents}`, amountCents, state, refundId });

const charge = { amountCents: 500, refundedCents: 0 };
const divide = (own: readonly OwnRefund[], refunds: readonly ProviderRefund[], given: Partial<Claims> = {}) =>
  divideGivenBack(charge, own, { refunds, disputes: [], ...given });
/** Of each of the shop's refunds, by its id: what the shop made, and what somebody else in its place. */
const readShares = ({ refunds }: ReturnType<typeof divide>) =>
  Object.fromEntries(
    [...refunds].map(([id, { madeCents, coveredCents }]) => [id, [madeCents, coveredCents]]),
  );

describe('what went back of a payment', () => {
  test('is divided into what the shop made, refund by refund, and what somebody else did', () => {
    const own = [anOwnRefund('a'), anOwnRefund('b', { amountCents: 50 })];
    const refunds = [made(60, 'pending', 'a'), made(50, 'succeeded', 'b'), made(200), made(30, 'pending')];
    const divided = divide(own, refunds);
    expect(divided).toMatchObject({
      totalCents: 340,
      arrivedCents: 250,
      elsewhereCents: 230,
      pendingElsewhereCents: 30,
      unassignedCents: 190,
    });
    expect(readShares(divided)).toEqual({ a: [60, 40], b: [50, 0] });
  });

  test('is no more than what is listed, whatever of it the charge still counts that has failed', () => {
    const refunds = [made(11), made(100, 'failed')];
    const given = divideGivenBack({ ...charge, refundedCents: 111 }, [], { refunds, disputes: [] });
    expect(given).toMatchObject({ totalCents: 11, arrivedCents: 11 });
  });

  test('is nobody’s as far as it had gone before a refund was asked for, and only the rest makes that up', () => {
    const divided = divide([anOwnRefund('a', { elsewhereCents: 40 }), anOwnRefund('b')], [made(60)]);
    expect(divided.unassignedCents).toBe(40);
    expect(readShares(divided)).toEqual({ a: [0, 20], b: [0, 0] });
  });

  test('leaves nothing that is nobody’s where refunds of the shop are over all of the payment', () => {
    const own = [anOwnRefund('a', { amountCents: 450 })];
    const lost = { disputes: [{ id: 'dp_1', amountCents: 100, state: 'lost' }] } as const;
    const divided = divide(own, [made(450, 'succeeded', 'a')], lost);
    expect(divided).toMatchObject({ totalCents: 550, elsewhereCents: 100, unassignedCents: 50 });
    expect(readShares(divided)).toEqual({ a: [450, 0] });
  });
});

describe('a refund of the shop that a list from before it does not have', () => {
  const other = made(7, 'succeeded', 'other');
  const isCounted = (differences: Partial<OwnRefund>, refunds: readonly ProviderRefund[]) =>
    readShares(divide([anOwnRefund('a', differences)], refunds)).a?.[0] === 100;

  test.each([
    ['succeeded', 're_a', [other], true],
    ['succeeded', 're_a', [], true],
    ['pending', 're_a', [other], true],
    // Then the charge tells whether it is on its way still.
    ['pending', 're_a', [], false],
    ['failed', 're_a', [other], false],
    // Noted as done since somebody else made it.
    ['succeeded', null, [other], false],
    ['pending', null, [other], false],
  ] as const)('%s with the id %s, beside %j: %s', (state, providerId, refunds, counts) => {
    expect(isCounted({ state, providerId }, refunds)).toBe(counts);
  });

  test('is counted once, and as it is listed, when the list has it', () => {
    const own = [anOwnRefund('a', { state: 'succeeded', providerId: 're_a' })];
    expect(divide(own, [other, made(100, 'succeeded', 'a')]).totalCents).toBe(107);
    expect(divide(own, [other, made(100, 'failed', 'a')]).totalCents).toBe(7);
  });

  test('is as much as was asked for', () => {
    const own = [anOwnRefund('a', { state: 'pending', providerId: 're_a' })];
    expect(divide(own, [other])).toMatchObject({
      totalCents: 107,
      arrivedCents: 7,
      pendingElsewhereCents: 0,
    });
  });
});

describe('what somebody else gave back is taken for', () => {
  const bothWays = (own: readonly [OwnRefund, OwnRefund], refunds: readonly ProviderRefund[]) =>
    [own, own.toReversed()].map((each) => readShares(divide(each, refunds)));

  test('the refunds that are owed, in the order of their ids', () => {
    const shares = { a: [0, 100], b: [0, 20] };
    expect(bothWays([anOwnRefund('a'), anOwnRefund('b')], [made(120)])).toEqual([shares, shares]);
  });

  test('one first of which the shop has made a part', () => {
    const shares = { a: [0, 0], b: [60, 40] };
    const refunds = [made(60, 'succeeded', 'b'), made(40)];
    expect(bothWays([anOwnRefund('a'), anOwnRefund('b')], refunds)).toEqual([shares, shares]);
  });

  test('one first that was noted as done by it before', () => {
    const shares = { a: [0, 0], b: [0, 100] };
    const done = anOwnRefund('b', { state: 'succeeded' });
    expect(bothWays([anOwnRefund('a'), done], [made(100)])).toEqual([shares, shares]);
  });

  test('no other one first: neither what was refused, nor what failed after it had succeeded', () => {
    const shares = { a: [0, 100], b: [0, 0] };
    const refused = anOwnRefund('b', { state: 'failed' });
    expect(bothWays([anOwnRefund('a'), refused], [made(100)])).toEqual([shares, shares]);
    const failedLater = anOwnRefund('b', { state: 'succeeded', providerId: 're_b' });
    const refunds = [made(100), made(100, 'failed', 'b')];
    expect(bothWays([anOwnRefund('a'), failedLater], refunds)).toEqual([shares, shares]);
  });
});

describe('what the provider is to be asked for', () => {
  const row = anOwnRefund('a');
  const owed = (refunds: readonly ProviderRefund[], { receivedCents = 500, own = [row] } = {}) =>
    countOwed(row, { receivedCents }, divide(own, refunds));

  test('is all of a refund of which nothing was made', () => {
    expect(owed([])).toBe(100);
    expect(owed([made(70, 'failed', 'a')])).toBe(100);
  });

  test('is what neither the shop nor somebody else has made of it', () => {
    expect(owed([made(60, 'succeeded', 'a')])).toBe(40);
    expect(owed([made(30)])).toBe(70);
    expect(owed([made(60, 'pending', 'a'), made(30)])).toBe(10);
    expect(owed([made(100, 'succeeded', 'a')])).toBe(0);
  });

  test('is nothing while what somebody else makes in its place is on its way', () => {
    expect(owed([made(30, 'pending')])).toBe(0);
  });

  test('is all of it while something is on its way that had been seen before it was asked for', () => {
    const own = [anOwnRefund('a', { elsewhereCents: 30 })];
    expect(owed([made(30, 'pending')], { own })).toBe(100);
  });

  test('is no more than is left of what was received, and never less than nothing', () => {
    const own = [row, anOwnRefund('b', { amountCents: 300 })];
    const refunds = [made(300, 'succeeded', 'b')];
    expect(owed(refunds, { own, receivedCents: 380 })).toBe(80);
    expect(owed(refunds, { own, receivedCents: 250 })).toBe(0);
  });
});

describe('how far a refund of the shop is', () => {
  const row = { ...anOwnRefund('a', { state: 'failed', providerId: 're_before' }), note: 'was refused' };
  const resolve = (refunds: readonly ProviderRefund[]) =>
    resolveRefund(row, { refunds, disputes: [] }, divide([row], refunds));
  const asItWas = { state: 'failed', providerId: 're_before', note: 'was refused' };

  test('is as it was where the provider has made nothing of it', () => {
    expect(resolve([])).toEqual(asItWas);
    expect(resolve([made(7, 'succeeded', 'another')])).toEqual(asItWas);
  });

  test('is what the provider has made of it', () => {
    const is = { state: 'pending', providerId: 're_a_60', note: 'was refused' };
    expect(resolve([made(60, 'pending', 'a')])).toEqual(is);
    expect(resolve([made(60, 'pending', 'a'), made(10)])).toEqual(is);
  });

  test('is as far as what somebody else has made in its place, when that is all of it', () => {
    const elsewhere = { providerId: null, note: 'given back at the provider' };
    expect(resolve([made(100)])).toEqual({ state: 'succeeded', ...elsewhere });
    expect(resolve([made(60), made(40, 'pending')])).toEqual({ state: 'pending', ...elsewhere });
    expect(resolve([made(99)])).toEqual(asItWas);
  });
});
