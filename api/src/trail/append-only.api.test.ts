import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '#src/platform/database/connection.ts';
import { aProduct } from '#test/builders.ts';
import { useShop } from '#test/use-shop.ts';

const shop = useShop();
beforeAll(async () => {
  await aProduct(shop);
});

const readEntries = async ({ pool }: Database) => (await pool.query('select * from trail order by id')).rows;

test.each([
  "update trail set after = '{}'",
  'update trail set actor_id = null where false',
  'delete from trail',
  'delete from trail where false',
  'truncate trail',
  'truncate products, trail cascade',
  'insert into trail select * from trail on conflict (id) do update set event = excluded.event',
  "set session_replication_role = 'replica'; delete from trail",
])('the database refuses to change or remove an entry: %s', async (statement) => {
  const { database } = shop.services;
  const before = await readEntries(database);
  expect(before.length).toBeGreaterThan(0);
  // One dedicated connection, as its settings must not leak into the pool.
  const client = await database.pool.connect();
  try {
    await expect(client.query(statement)).rejects.toMatchObject({
      code: '42501',
      message: 'entries of "trail" are neither changed nor removed',
    });
  } finally {
    client.release(true);
  }
  expect(await readEntries(database)).toEqual(before);
});

/** As in docs/explanation/trail.md: the shop's role reads and writes the trail, and another role owns it. */
const giveAway = (shopRole: string, keeper: string) => `
  create role ${keeper} nologin;
  create role ${shopRole} nologin;
  alter table trail owner to ${keeper};
  alter function refuse_change() owner to ${keeper};
  grant usage, create on schema public to ${shopRole};
  grant usage on schema public to ${keeper};
  grant select, insert on trail to ${shopRole}`;

test('a role without ownership reads and writes the trail, nothing more', async () => {
  const { pool } = shop.services.database;
  const suffix = randomBytes(4).toString('hex');
  const [shopRole, keeper] = [`shop_${suffix}`, `keeper_${suffix}`];
  const client = await pool.connect();
  // In a transaction with rollback, as roles belong to the whole server.
  try {
    await client.query('begin');
    await client.query(giveAway(shopRole, keeper));
    await client.query(`set local role ${shopRole}`);
    await client.query(
      `insert into trail (id, event, topic, actor, request_id)
       values (gen_random_uuid(), 'paid', 'payments', 'system', gen_random_uuid())`,
    );
    expect((await client.query('select id from trail')).rows.length).toBeGreaterThan(1);
    for (const attempt of [
      'alter table trail disable trigger all',
      'drop trigger trail_append_only on trail',
      'drop table trail',
      'create rule nothing as on insert to trail do instead nothing',
      'delete from trail',
      'truncate trail',
      "set session_replication_role = 'replica'",
      'drop function refuse_change() cascade',
      'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
    ]) {
      await client.query('savepoint before_attempt');
      await expect(client.query(attempt), attempt).rejects.toMatchObject({ code: '42501' });
      await client.query('rollback to before_attempt');
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});
