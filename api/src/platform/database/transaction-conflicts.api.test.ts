import { afterEach, beforeAll, expect, test } from 'vitest';
import { aProduct } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import type { Executor } from './connection.ts';

// Durations do not matter here.
const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '60000' } });
const customer = usePerson(shop, 'user');
beforeAll(async () => {
  await shop.pool.query('create sequence conflicts');
});
afterEach(() => shop.pool.query('drop trigger if exists conflict on batch_lines'));

const putLine = async () => {
  const { _id } = await aProduct(shop);
  const { token } = customer;
  return shop.request(`/batch/${_id}`, { method: 'PUT', token, body: { quantity: 50 } });
};

/**
 * Makes the next `times` inserts of a line fail with this code. A rollback does not reset the sequence
 * that counts them.
 */
async function failToWriteLines(code: string, times: number): Promise<void> {
  await shop.pool.query("select setval('conflicts', 1, false)");
  await shop.pool.query(`
    create or replace function raise_conflict() returns trigger language plpgsql as $$
    begin
      if nextval('conflicts') <= ${times} then raise exception 'in the way' using errcode = '${code}'; end if;
      return new;
    end $$`);
  await shop.pool.query(
    'create trigger conflict before insert on batch_lines for each row execute function raise_conflict()',
  );
}
const countTries = async () => (await shop.pool.query('select last_value from conflicts')).rows[0].last_value;

test('two transactions that deadlock both succeed', async () => {
  const { db, counts } = shop.services.database;
  const parts = [await aProduct(shop), await aProduct(shop)];
  const before = counts.repeated;
  const { promise: bothHoldOne, resolve } = Promise.withResolvers<void>();
  const { promise: oneIsDone, resolve: noteDone } = Promise.withResolvers<void>();
  let holding = 0;
  const takeBoth = async (ids: readonly string[]) => {
    await db.transaction(async (tx) => {
      // The repeated transaction could collide again before the other one wakes up.
      if (holding === 2) await oneIsDone;
      await take(tx, ids[0]);
      holding += 1;
      if (holding === 2) resolve();
      await bothHoldOne;
      await take(tx, ids[1]);
    });
    noteDone();
  };
  const ids = parts.map(({ _id }) => _id);
  await Promise.all([takeBoth(ids), takeBoth(ids.toReversed())]);
  expect(holding).toBe(3);
  expect(counts.repeated - before).toBe(1);
  const { rows } = await shop.pool.query('select quantity from products where id = any($1)', [ids]);
  expect(rows).toEqual([{ quantity: 998 }, { quantity: 998 }]);
});

const take = (tx: Executor, id: string | undefined) =>
  tx.execute(`update products set quantity = quantity - 1 where id = '${id}'`);

test.each(['40P01', '40001'])('a call succeeds after one conflict (%s)', async (code) => {
  await failToWriteLines(code, 1);
  expect((await putLine()).status).toBe(200);
  expect(await countTries()).toBe(2);
});

test('a second conflict is 503 with a retry after one second', async () => {
  await failToWriteLines('40P01', 2);
  const refused = await putLine();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(refused.body.type).toBe('urn:parts-forge:problem:overloaded');
  expect(await countTries()).toBe(2);
  shop.expectErrors(1);
  expect((await putLine()).status).toBe(200);
});

test('other failures are not retried', async () => {
  await failToWriteLines('23514', 2);
  expect((await putLine()).status).toBe(500);
  expect(await countTries()).toBe(1);
  shop.expectErrors([{ err: { cause: { code: '23514' } } }]);
});
