import { expect, test } from 'vitest';
import { systemClock } from '#src/platform/core/clock.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { createTimeOrderedIds } from '#src/platform/core/ids.ts';
import { createLog } from '#src/platform/core/log.ts';
import { openChangeFeed } from '#src/platform/database/change-feed.ts';
import { openDatabase } from '#src/platform/database/connection.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { newEmptyDatabase } from '#test/start-shop.ts';
import { createEmbeddedIdentity } from './embedded/embedded.ts';

test('identity is ready before loading, and not ready after a failed load', async () => {
  const { connection, drop } = await newEmptyDatabase();
  const timeouts = { statementTimeoutMs: 5_000, connectionTimeoutMs: 3_000 };
  const database = openDatabase(connection, timeouts, () => {});
  const changes = await openChangeFeed(database, () => {});
  const identity = await createEmbeddedIdentity({
    config: readConfig({ IDENTITY_SECRET: 's'.repeat(32) }),
    database,
    changes,
    clock: systemClock,
    ids: createTimeOrderedIds(systemClock),
    instanceId: 'shop-1',
    formerInstanceIds: [],
    log: createLog('silent'),
  });
  // Loading would fail, as there are no tables.
  await identity.assertReady();
  await expect(identity.verify('any token')).rejects.toThrow();
  await expect(identity.assertReady()).rejects.toThrow();
  await migrate(database);
  await identity.assertReady();
  await changes.close();
  await database.close();
  await drop();
});
