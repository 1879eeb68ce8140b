import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { aProduct, signedInAs } from '#test/builders.ts';
import { readActivity } from '#test/trail.ts';
import { useShop } from '#test/use-shop.ts';

const lines: Record<string, unknown>[] = [];
const shop = useShop({ onLine: (line) => void lines.push(JSON.parse(line)) });

test('a request with a late body keeps its sender and id', async () => {
  const admin = await signedInAs(shop, 'admin');
  const product = await aProduct(shop);
  const body = JSON.stringify({ quantity: 77 });
  const slow = request(`${shop.url}/product/${product._id}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
  slow.flushHeaders();
  await once(slow, 'socket');
  // Other requests come in between, so the head is read before the body, which comes in two packets.
  for (let others = 0; others < 20; others += 1) await shop.request('/product');
  slow.write(body.slice(0, 5));
  for (let others = 0; others < 20; others += 1) await shop.request('/product');
  slow.end(body.slice(5));
  const [answer]: IncomingMessage[] = (await once(slow, 'response')) as [IncomingMessage];
  await text(answer);
  expect(answer.statusCode).toBe(200);

  const requestId = answer.headers['x-request-id'];
  const entries = await readActivity(shop, `?who=${admin.userId}`);
  expect(entries.map((entry) => [entry.by.kind, entry.requestId])).toEqual([['admin', requestId]]);
  const answered = lines.filter((line) => line.msg === 'answered' && line.requestId === requestId);
  expect(answered).toMatchObject([
    { method: 'PUT', path: '/product/:id', id: product._id, actor: 'admin', actorId: admin.userId },
  ]);
});
