import pg from 'pg';
import { expect, inject, test } from 'vitest';

test('x', async () => {
  const c = new pg.Client(JSON.parse(inject('adminConnection')));
  await c.connect();
  expect((await c.query('select 1 as a')).rows).toEqual([{ a: 1 }]);
  await c.end();
});
