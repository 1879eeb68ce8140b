import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { reviews } from '#src/reviews/schema.ts';
import { atFullSize } from '#test/full-size.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

// Generous, for busy machines: the test is about memory, not time.
const shop = useShop({ env: { CONNECTION_TIMEOUT_MS: '60000', REQUEST_TIMEOUT_MS: '120000' } });
const customer = usePerson(shop, 'user');

const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
const someId = '0199aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa';

test("memory after many forged cursors stays within the cache's limit", async () => {
  const rows = Array.from({ length: 100 }, (_, index) => ({
    id: shop.services.ids.next(),
    userId: customer.userId,
    name: 'Amara Okafor',
    ratingHalves: 10,
    description: `${index} `.repeat(400).slice(0, 1000),
  }));
  await shop.db.insert(reviews).values(rows);
  const before = bytesHeld();
  const instants = Array.from(
    { length: atFullSize(1500, 700) },
    (_, index) => new Date(Date.UTC(2100, 0, 1) + index),
  );
  for (let start = 0; start < instants.length; start += 50) {
    const answers = await Promise.all(
      instants.slice(start, start + 50).map((instant) =>
        shop.app.inject({
          url: `/review?after=${cursor(instant.toISOString(), someId)}`,
          headers: { 'accept-encoding': 'br' },
        }),
      ),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  }
  expect((bytesHeld() - before) / 1024 / 1024).toBeLessThan(48);
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes still in use, on and off the heap. */
function bytesHeld(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
