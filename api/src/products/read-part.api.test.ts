import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { PublicReads } from '#src/platform/database/public-reads.ts';
import { aProduct, signedInAs } from '#test/builders.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { createPartReader } from './read-part.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

/** A reader that tells of each of its reads what it shows, and whether it is for somebody who has just written. */
function aCountedReader() {
  const reads: { tags: readonly string[]; readsOwnWrites: boolean | undefined }[] = [];
  const publicReads: Pick<PublicReads, 'run'> = {
    run(tags, work) {
      reads.push({ tags, readsOwnWrites: requestContext.current().readsOwnWrites });
      return shop.services.publicReads.run(tags, work);
    },
  };
  return { reads, readPart: createPartReader(publicReads) };
}

test('parts that are asked for in one moment are read together, each for whoever asked', async () => {
  const [one, other, deleted] = [await aProduct(shop), await aProduct(shop), await aProduct(shop)];
  const { token } = await signedInAs(shop, 'admin');
  await shop.request(`/product/${deleted._id}`, { method: 'DELETE', token });
  const { reads, readPart } = aCountedReader();
  const asked = [other._id, one._id.toUpperCase(), deleted._id, randomUUID(), other._id];
  const parts = await Promise.all(asked.map((id) => readPart(id, [`product:${id}`])));
  expect(parts).toEqual([other, one, null, null, other]);
  expect(reads).toEqual([{ tags: asked.map((id) => `product:${id}`), readsOwnWrites: false }]);
});

test('whoever has just written is read for as such, and so are those who go along', async () => {
  const part = await aProduct(shop);
  const { reads, readPart } = aCountedReader();
  const own = { requestId: randomUUID(), readsOwnWrites: true };
  await Promise.all([readPart(part._id, []), requestContext.run(own, () => readPart(part._id, []))]);
  await readPart(part._id, []);
  expect(reads.map(({ readsOwnWrites }) => readsOwnWrites)).toEqual([true, false]);
});
