import { findRunningPostgres } from '@parts-forge/embedded-postgres';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { register } from '#test/backups.ts';
import { startMailServer } from '#test/mail-server.ts';
import { cleanUps, isOpen, settings, startShopProcess } from '#test/processes.ts';
import { awaitWaiting, listWaiting } from '#test/waiting-statements.ts';
import { embeddedNames } from './connect-database.ts';

/** A second client of the shop's database. */
async function openDatabase(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client(findRunningPostgres(dataDir, embeddedNames));
  client.on('error', () => {});
  await client.connect();
  cleanUps.push(() => client.end().catch(() => {}));
  return client;
}

const readOutbox = async (client: pg.Client) =>
  (await client.query<{ id: string; state: string }>('select id, state from mail_outbox')).rows;

test('a mail whose note is lost is sent twice under one Message-ID', async () => {
  const server = await startMailServer();
  cleanUps.push(() => server.close());
  // Slow machines must not fail this test.
  const given = { ...(await settings()), ...server.env, STATEMENT_TIMEOUT_MS: '60000' };
  const url = `http://127.0.0.1:${given.PORT}`;
  const shop = startShopProcess(given);
  await isOpen(shop);
  const beside = await openDatabase(given.DATA_DIR);

  // The mail server accepts the mail, and this lock blocks the update of its row.
  const registered = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  server.beforeAnswer = async () => {
    await registered.promise;
    await beside.query('begin');
    await beside.query('select from mail_outbox for update');
    locked.resolve();
  };
  await register(url);
  registered.resolve();
  await locked.promise;
  await awaitWaiting(beside, 1);
  const [noter] = await listWaiting(beside);
  // The stopped shop does nothing more. Its statement is terminated as in a crash, and its next attempt is
  // due.
  shop.child.kill('SIGSTOP');
  await beside.query('select pg_terminate_backend($1, 30000)', [noter]);
  await beside.query("update mail_outbox set next_attempt_at = now() - interval '1 second'");
  await beside.query('commit');
  expect(await readOutbox(beside)).toMatchObject([{ state: 'waiting' }]);
  expect(server.mails).toHaveLength(1);
  shop.child.kill('SIGKILL');
  await shop.ended;

  server.beforeAnswer = async () => {};
  await isOpen(startShopProcess(given));
  const after = await openDatabase(given.DATA_DIR);
  await vi.waitFor(async () => expect(await readOutbox(after)).toMatchObject([{ state: 'sent' }]), {
    timeout: 60_000,
    interval: 50,
  });
  const [row] = await readOutbox(after);
  const id = `<${row?.id}@partsforge.example>`;
  expect(server.mails.map(({ messageId }) => messageId)).toEqual([id, id]);
});
