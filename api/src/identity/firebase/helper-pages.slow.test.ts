import { createServer } from 'node:http';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#src/platform/core/clock.ts';
import { listen } from '#test/listen.ts';
import { createFirebaseIdentity } from './firebase.ts';
import { googleEndpoints } from './firebase-endpoints.ts';

/** A shop on `https://parts.example` in front of a stand-in for the project's host. */
async function aShop(authDomain: string) {
  const asked: string[] = [];
  const project = createServer(({ url = '', headers }, response) => {
    asked.push(`${url} ${headers.cookie ?? 'no cookie'}`);
    const status = url.includes('broken') ? 500 : url.includes('missing') ? 404 : 200;
    const body = url.includes('long') ? 'x'.repeat(1024 * 1024 + 1) : '<p>Google';
    response.writeHead(status, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end(body);
  });
  const port = await listen(project);
  const { routes } = createFirebaseIdentity({
    settings: { projectId: 'parts-forge-1', apiKey: 'key', authDomain, serviceAccount: null },
    origin: 'https://parts.example',
    clock: systemClock,
    endpoints: { ...googleEndpoints, helpers: `http://127.0.0.1:${port}/x` },
  });
  const app = Fastify();
  await routes?.(app);
  onTestFinished(async () => {
    await app.close();
    project.closeAllConnections();
    project.close();
  });
  const read = (url: string) => app.inject({ url, headers: { cookie: 'shop.session=1' } });
  return { asked, read };
}

test("the shop serves Firebase's pages from its own host, without cookies", async () => {
  const { asked, read } = await aShop('parts.example');
  const page = await read('/__/auth/handler?a=1&b=%2F');
  expect([page.statusCode, page.body, page.headers['content-type']]).toEqual([200, '<p>Google', 'text/html']);
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'self'");
  expect(page.headers['set-cookie']).toBeUndefined();
  await read('/__/firebase/init.json');
  expect(asked).toEqual(['/x/auth/handler?a=1&b=%2F no cookie', '/x/firebase/init.json no cookie']);
});

test('a page that Firebase does not answer is refused', async () => {
  const { asked, read } = await aShop('parts.example');
  const statuses: number[] = [];
  for (const file of ['missing', 'broken', 'long'])
    statuses.push((await read(`/__/auth/${file}`)).statusCode);
  expect(statuses).toEqual([404, 503, 503]);
  asked.length = 0;
  const elsewhere = ['/__/other', '/__/auth/a/b', '/__/auth/../../secret', '/__/auth/%2e%2e'];
  for (const url of elsewhere) await read(url);
  expect(asked.filter((url) => !url.startsWith('/x/auth/'))).toEqual([]);
});

test("the project's own host serves its pages itself", async () => {
  const { asked, read } = await aShop('parts-forge-1.firebaseapp.com');
  expect((await read('/__/auth/handler')).statusCode).toBe(404);
  expect(asked).toEqual([]);
});
