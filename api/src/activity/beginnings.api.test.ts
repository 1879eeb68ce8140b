import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { seedDemo } from '#src/demo/seed-demo.ts';
import { createAdmin, ensureFirstAdmin } from '#src/identity/administrators.ts';
import { OPERATOR, requestContext } from '#src/platform/core/request-context.ts';
import { readActivity } from '#test/trail.ts';
import { useShop } from '#test/use-shop.ts';
import { findStockDifferences } from './find-stock-differences.ts';

const shop = useShop({ env: { SEED: 'catalogue' } });

const password = 'a long enough password';
const readRoleChanges = async (email: string) =>
  (await readActivity(shop, `?what=role-changed&q=${encodeURIComponent(email)}`)).map(
    ({ by, user, before, after }) => ({ by, email: user?.email, before, after }),
  );

test('the system creates the first administrator', async () => {
  const email = 'first@shop.example';
  await ensureFirstAdmin({ adminEmail: email, adminPassword: password }, shop.services);
  expect(await readRoleChanges(email)).toEqual([{ by: { kind: 'system' }, email, after: { role: 'admin' } }]);
});

test("the operator's command creates an administrator, with one entry", async () => {
  const email = 'chief@shop.example';
  const make = () =>
    requestContext.run({ requestId: randomUUID(), actor: OPERATOR }, () =>
      createAdmin(shop.services, { email, name: 'Chief', password }),
    );
  await make();
  await make();
  expect(await readRoleChanges(email)).toEqual([
    { by: { kind: 'operator' }, email, after: { role: 'admin' } },
  ]);
});

test('every part of the demonstration has a first ledger line', async () => {
  const { database } = shop.services;
  await seedDemo(shop.services);
  const added = await readActivity(shop, '?what=product-added');
  expect(added).toHaveLength(await countProducts());
  expect(new Set(added.map(({ by }) => by.kind))).toEqual(new Set(['system']));
  expect(await findStockDifferences(database.db, 100)).toEqual([]);
});

const countProducts = async () =>
  Number((await shop.pool.query('select count(*) from products')).rows[0].count);
