import { expect, test } from 'vitest';
import { useShop } from '#test/use-shop.ts';
import { withOwnConnection } from './connection.ts';
import { boundStatementsOfRole } from './pooler.ts';

// Also runs through a pooler (`npm run test:all -- pgbouncer`), where the role gives each session its
// settings.
const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '700' } });

const readBounds = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
  current_setting('idle_in_transaction_session_timeout') as idle`;

test('the server itself limits statements of every session in the pool', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => shop.pool.query(readBounds)));
  for (const { rows } of answers)
    expect(rows).toEqual([{ statement: '700ms', lock: '700ms', idle: '700ms' }]);
});

test('the server uses neither JIT compilation nor parallel workers', async () => {
  const { rows } = await shop.pool.query(
    "select current_setting('jit') as jit, current_setting('max_parallel_workers_per_gather') as helpers",
  );
  expect(rows).toEqual([{ jit: 'off', helpers: '0' }]);
});

test('a slow statement alone is ended on the server', async () => {
  const { database } = shop.services;
  const slow = database.pool.query("select pg_sleep(60) as slow_one, 'bounded'");
  await expect(slow).rejects.toMatchObject({ code: '57014' });
  const findRunning = () =>
    database.pool.query(
      "select pid from pg_stat_activity where query like 'select pg_sleep(60)%' and state = 'active' and datname = current_database()",
    );
  // PostgreSQL sends the error just before it marks the connection as idle.
  await expect.poll(async () => (await findRunning()).rows).toEqual([]);
});

test('role settings spare set-up work, follow changes and can be repeated', async () => {
  const { database } = shop.services;
  const change = (statementTimeoutMs: number) => boundStatementsOfRole(database, { statementTimeoutMs });
  await Promise.all([change(900), change(900)]);
  await change(800);
  const { rows } = await database.pool.query(
    `select setconfig from pg_db_role_setting
     where setdatabase = (select oid from pg_database where datname = current_database())`,
  );
  const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
  const planned = ['jit=off', 'max_parallel_workers_per_gather=0'];
  expect(rows).toEqual([{ setconfig: [...settings.map((name) => `${name}=800`), ...planned] }]);
  await withOwnConnection(database, async (client) => {
    const bounds = await client.query(readBounds);
    expect(bounds.rows).toEqual([{ statement: '0', lock: '0', idle: '0' }]);
  });
});
