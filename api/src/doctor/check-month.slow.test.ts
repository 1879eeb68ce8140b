import { expect, test } from 'vitest';
import type { Clock } from '#src/platform/core/clock.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { refundAtProvider } from '#test/paying.ts';
import { loseEvents } from '#test/payment-provider.ts';
import { startForTest } from '#test/use-shop.ts';
import { checkMonth } from './check-month.ts';

test("the last month's proof is reported", async () => {
  const clock: Clock = { now: () => new Date('2026-11-20T12:00:00Z') };
  const shop = await startForTest({ clock });
  const { config, database } = shop.services;
  const visit = { config, openDatabase: async () => database };
  const later = { now: () => new Date('2026-12-03T12:00:00Z') };
  const { id } = await aPendingOrder(shop);
  expect(await checkMonth(visit, later)).toEqual([
    { verdict: 'works', sentence: 'Orders, papers, payments, provider and stock agree on 2026-11.' },
  ]);
  await loseEvents(shop);
  await refundAtProvider(shop, id, 1200);
  expect(await checkMonth(visit, later)).toEqual([
    { verdict: 'fails', sentence: '1 difference in 2026-11: see /dashboard/overview/month?month=2026-11.' },
  ]);
});
