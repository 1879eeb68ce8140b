import { beforeEach, describe, expect, test } from 'vitest';
import { createReplicaFreshness, type ReplicaFreshness } from './replica-freshness.ts';

const LAG_MS = 1000;
let nowMs: number;
let replica: ReplicaFreshness;
beforeEach(() => {
  nowMs = 5000;
  replica = createReplicaFreshness(LAG_MS, () => nowMs);
});

const pass = (ms: number) => {
  nowMs += ms;
};

test('a replica that has proven nothing is not read', () => {
  expect(replica.has(['products'])).toBe(false);
  replica.noteProof(4999);
  expect(replica.has(['products'])).toBe(false);
  replica.noteProof(5000);
  expect(replica.has(['products'])).toBe(true);
});

test('a proof is good for the bound and no longer', () => {
  replica.noteProof(5000);
  pass(LAG_MS);
  expect(replica.has(['reviews'])).toBe(true);
  pass(1);
  expect(replica.has(['reviews'])).toBe(false);
});

describe('after a change', () => {
  beforeEach(() => {
    replica.noteProof(5000);
    pass(10);
    replica.noteChange(new Set(['products', 'product:1'] as const));
  });

  test('what it touched is not read before the replica is proven to have it', () => {
    expect([replica.has(['products']), replica.has(['product:1'])]).toEqual([false, false]);
    pass(10);
    replica.noteProof(5009);
    expect(replica.has(['products'])).toBe(false);
    replica.noteProof(5010);
    expect([replica.has(['products']), replica.has(['product:1'])]).toEqual([true, true]);
  });

  test('all else goes on', () => {
    expect([replica.has(['reviews']), replica.has(['product:2'])]).toEqual([true, true]);
    expect(replica.has(['reviews', 'products'])).toBe(false);
  });

  test('a later change of the same counts', () => {
    pass(20);
    replica.noteChange(new Set(['products'] as const));
    replica.noteProof(5015);
    expect([replica.has(['product:1']), replica.has(['products'])]).toEqual([true, false]);
  });
});

test('when changes may have been missed nothing is read before a new proof', () => {
  replica.noteProof(5000);
  pass(10);
  replica.noteChange('all');
  expect(replica.has(['reviews'])).toBe(false);
  replica.noteProof(5010);
  expect(replica.has(['reviews'])).toBe(true);
});

test('a replica that failed has to prove itself anew', () => {
  replica.noteProof(5000);
  replica.distrust();
  expect(replica.has(['reviews'])).toBe(false);
});
