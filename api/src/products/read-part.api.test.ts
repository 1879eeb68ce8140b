import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '#src/platform/database/connection.ts';
import { anOrder, aProduct, placeOrder, readProduct, signedInAs } from '#test/builders.ts';
import { startShop } from '#test/start-shop.ts';
import { useShop } from '#test/use-shop.ts';
import { createPartReader } from './read-part.ts';
import { findProduct } from './store.ts';

const shop = useShop();

/** A reader, and the ids of each of its statements. */
function aCountedReader() {
  const reads: unknown[] = [];
  const { database } = shop.services;
  const runPrepared: Database['runPrepared'] = (statement) => {
    reads.push(statement.values?.[0]);
    return database.runPrepared(statement);
  };
  return { reads, readPart: createPartReader({ runPrepared }) };
}

test('concurrent reads of parts share one statement', async () => {
  const [one, other, deleted] = [await aProduct(shop), await aProduct(shop), await aProduct(shop)];
  const { token } = await signedInAs(shop, 'admin');
  await shop.request(`/product/${deleted._id}`, { method: 'DELETE', token });
  const { reads, readPart } = aCountedReader();
  const asked = [other._id, one._id.toUpperCase(), deleted._id, randomUUID(), other._id];
  const parts = await Promise.all(asked.map((id) => readPart(id)));
  expect(parts).toEqual([other, one, null, null, other]);
  expect(reads).toEqual([asked.map((id) => id.toLowerCase())]);
});

test('every process reads current parts after concurrent orders and restocks', async () => {
  const other = await startShop({ shareDatabaseWith: shop });
  onTestFinished(() => other.close());
  const admin = await signedInAs(shop, 'admin');
  const customer = await signedInAs(shop, 'user');
  const parts = [await aProduct(shop, { quantity: 5000 }), await aProduct(shop, { quantity: 5000 })];
  const expectPresent = async () => {
    for (const { _id } of parts) {
      const present = await findProduct(shop.services.database.db, _id);
      for (const one of [shop, other]) await expect.poll(() => readProduct(one, _id)).toEqual(present);
    }
  };
  for (let round = 0; round < 5; round += 1) {
    const work = parts.flatMap((part, index) =>
      [shop, other].flatMap((one) => [
        ...Array.from({ length: 6 }, () => placeOrder(one, customer, part, 50)),
        ...Array.from({ length: 6 }, () => readProduct(one, part._id)),
        one.request(`/product/${part._id}`, {
          method: 'PUT',
          token: admin.token,
          body: { quantity: 5000 + round * 10 + index },
        }),
        anOrder(one, customer, part, 50).then(({ _id }) =>
          one.request(`/order/${_id}`, { method: 'DELETE', token: customer.token }),
        ),
        ...Array.from({ length: 6 }, () => readProduct(one, part._id)),
      ]),
    );
    await Promise.all(work);
    await expectPresent();
    // Each process must receive the other's change.
    for (const [index, part] of parts.entries())
      await anOrder(index === 0 ? shop : other, customer, part, 50);
    await expectPresent();
  }
});
