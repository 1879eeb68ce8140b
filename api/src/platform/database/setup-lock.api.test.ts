import { expect, test } from 'vitest';
import { useShop } from '#test/use-shop.ts';
import { migrate, withSetupLock } from './migrate.ts';

const shop = useShop();

test('a migration reports that it waits for another process', async () => {
  const { database } = shop.services;
  const waits = Promise.withResolvers<string>();
  let waiting: Promise<void> | undefined;
  await withSetupLock(database, async () => {
    waiting = migrate(database, () => waits.resolve('said'));
    expect(await Promise.race([waits.promise, waiting])).toBe('said');
  });
  await waiting;
});

test('a lone migration reports no wait', async () => {
  await migrate(shop.services.database, () => expect.unreachable());
});
