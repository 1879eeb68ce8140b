import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '#test/create-database.ts';
import { claimDeliveries, findNextDeliveryTime } from './delivery-queue.ts';
import { emitEvent } from './emit-event.ts';
import { buildPaymentIntent } from './stripe-objects.ts';

let pool: Pool;
beforeAll(async () => {
  pool = await createDatabase();
});
afterAll(() => pool.end());

test('a delivery is claimed once, and again after its lease expires', async () => {
  const db = drizzle(pool);
  const now = new Date('2026-11-21T12:00:00Z');
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const claim = async (at: Date) => (await claimDeliveries(db, { now: at, minAgeMs: 0, limit: 10 })).length;
  expect(await findNextDeliveryTime(db)).toBeNull();
  const intent = buildPaymentIntent({
    amount: 100,
    currency: 'usd',
    description: null,
    metadata: {},
    now,
  });
  await emitEvent({ tx: db, now }, 'payment_intent.created', intent);
  expect(await findNextDeliveryTime(db)).toEqual(now);
  const claims = await Promise.all([claim(now), claim(now), claim(now)]);
  expect(claims.sort()).toEqual([0, 0, 1]);
  expect(await findNextDeliveryTime(db)).toEqual(after(30));
  expect(await claim(after(29))).toBe(0);
  expect(await claim(after(30))).toBe(1);
});
