import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#src/platform/database/connection.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { newEmptyDatabase } from '#test/start-shop.ts';
import { runWorker } from './run-worker.ts';

test('a worker refuses a database that a newer program has migrated', async () => {
  const { connection, drop } = await newEmptyDatabase();
  onTestFinished(drop);
  const limits = { statementTimeoutMs: 5000, connectionTimeoutMs: 5000 };
  const database = openDatabase(connection, limits, () => {});
  await migrate(database);
  await database.pool.query("insert into migrations (hash, created_at) values ('newer', 9e12)");
  await database.close();
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => said.mockRestore());

  const others = process.listeners('message');
  // A worker that opens would serve until then.
  const termination = AbortSignal.timeout(10_000);
  const ended = runWorker({}, { termination, abandonment: new AbortController().signal });
  const receive = process.listeners('message').find((listener) => !others.includes(listener));
  if (!receive) throw new Error('The worker awaits no orders.');
  onTestFinished(() => void process.off('message', receive));
  receive({ kind: 'open', number: 2, speaks: false, connection, port: 0 }, undefined);
  expect(await ended).toBe(1);
  expect(said.mock.calls.join()).toContain('A newer version of the shop has migrated the database');
});
