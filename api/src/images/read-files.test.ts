import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '#test/listen.ts';
import { readFiles } from './read-files.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const encoder = { encode: () => Promise.reject(new Error('nothing comes so far')) };

test('an oversized response is not read to its end', async () => {
  let isWhole = false;
  const closed = Promise.withResolvers<void>();
  const server = createServer(async (_request, reply) => {
    reply.on('close', closed.resolve);
    const part = Buffer.alloc(1024 * 1024);
    // Without Content-Length; the response ends only after the client has read all of it.
    for (let sent = 0; sent < 6 * MAX_BYTES && !reply.destroyed; sent += part.length) {
      if (!reply.write(part)) await Promise.race([once(reply, 'drain'), closed.promise]);
    }
    isWhole = !reply.destroyed;
    reply.end();
  });
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${await listen(server)}/part.webp`;
  const read = readFiles(address, '/nowhere', encoder, new AbortController().signal);
  await expect(read).rejects.toThrow(`${address} is larger than a picture may be`);
  await closed.promise;
  expect(isWhole).toBe(false);
});
