import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withOwnConnection } from '#src/platform/database/connection.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { awaitWaiting } from '#test/waiting-statements.ts';

let customer: Person;
// Slow machines must not fail these tests.
const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '60000' } });
const admin = usePerson(shop, 'admin');
beforeEach(async () => {
  customer = await signedInAs(shop, 'user');
});
afterEach(() => {
  expect(shop.services.database.counts.repeated).toBe(0);
});

const remove = (by: Person) => by.delete(`/user/${encodeURIComponent(customer.email)}`);

/** The lock that every change of the list takes. */
const holdList = (client: pg.Client) =>
  client.query("select pg_advisory_xact_lock(hashtextextended('batch ' || $1::text, 0))", [customer.userId]);

test.each(['an administrator', 'themselves'])(
  'an account deletion by %s waits for a batch change',
  async (by) => {
    const { _id } = await aProduct(shop);
    await withOwnConnection(shop.services.database, async (client) => {
      await client.query('begin');
      await holdList(client);
      const removal = remove(by === 'themselves' ? customer : admin);
      await awaitWaiting(client, 1);
      // The foreign key check must not wait here, which would be a deadlock.
      await client.query("set local lock_timeout = '200ms'");
      await client.query(
        'insert into batch_lines (user_id, product_id, quantity, price_cents) values ($1, $2, 1, 1)',
        [customer.userId, _id],
      );
      await client.query('commit');
      expect((await removal).status).toBe(200);
    });
    expect(await countLines()).toBe(0);
  },
);

test.each(['line', 'pasted lines', 'browser’s list'])(
  'a %s sent during the account deletion is refused',
  async (what) => {
    const { _id, number } = await aProduct(shop);
    const requests: Record<string, [method: string, path: string, body: object]> = {
      line: ['PUT', `/batch/${_id}`, { quantity: 50 }],
      'pasted lines': ['POST', '/batch/lines', { text: `${number} 50` }],
      'browser’s list': [
        'POST',
        '/batch/join',
        { join: randomUUID(), lines: [{ productId: _id, quantity: 50 }] },
      ],
    };
    const [method, path, body] = requests[what] ?? ['', '', {}];
    await withOwnConnection(shop.services.database, async (client) => {
      await client.query('begin');
      await holdList(client);
      const removal = remove(admin);
      await awaitWaiting(client, 1);
      const change = shop.request(path, { method, token: customer.token, body });
      await awaitWaiting(client, 2);
      await client.query('commit');
      expect((await removal).status).toBe(200);
      expect((await change).status).toBe(401);
    });
    expect(await countLines()).toBe(0);
  },
);

async function countLines(): Promise<number> {
  const { rows } = await shop.services.database.pool.query(
    'select (select count(*) from batch_lines where user_id = $1) + (select count(*) from batch_joins where user_id = $1) as count',
    [customer.userId],
  );
  return rows[0].count;
}
