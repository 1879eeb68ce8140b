import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '#test/create-database.ts';
import { createSandboxTable } from './schema.ts';

let pool: Pool;
beforeAll(async () => {
  pool = await createDatabase();
});
afterAll(() => pool.end());

const readRows = async (query: string) => (await pool.query({ text: query, rowMode: 'array' })).rows;

test('concurrent processes create the table once', async () => {
  await Promise.all(Array.from({ length: 8 }, () => createSandboxTable(pool)));
  await pool.query("insert into sandbox_objects (id, kind, data) values ('pi_1', 'payment_intent', '{}')");
  await createSandboxTable(pool);
  expect(await readRows('select id from sandbox_objects')).toEqual([['pi_1']]);
});

test('the columns and the index match the Drizzle schema', async () => {
  expect(
    await readRows(`
      select attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = 'sandbox_objects'::regclass and attnum > 0 order by attnum`),
  ).toEqual([
    ['id', 'text', true, null],
    ['kind', 'text', true, null],
    ['data', 'jsonb', true, null],
    ['created_at', 'timestamp(3) with time zone', true, 'now()'],
  ]);
  expect(
    await readRows("select indexdef from pg_indexes where tablename = 'sandbox_objects' order by indexname"),
  ).toEqual([
    ['CREATE INDEX sandbox_objects_kind ON public.sandbox_objects USING btree (kind, created_at)'],
    ['CREATE UNIQUE INDEX sandbox_objects_pkey ON public.sandbox_objects USING btree (id)'],
  ]);
});
