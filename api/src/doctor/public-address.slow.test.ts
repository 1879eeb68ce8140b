import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as forward, type IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type FakeStripe, runDoctor, startFakeStripe } from '#test/doctor.ts';
import { loopbackCertificate, loopbackKey } from '#test/loopback-certificate.ts';
import { cleanUps, newFolder } from '#test/processes.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

/** Runs `npm run doctor` on a public shop: behind a proxy, over https, with a Stripe webhook. */

/** A name of this machine that the shop does not recognise as local. */
const host = '[::ffff:7f00:1]';

interface Proxy {
  origin: string;
  /** The shop's port. */
  port: number;
  /** A header that it drops from the shop's responses. */
  loses: keyof IncomingHttpHeaders | null;
}

/** A proxy that terminates https, as public shops need. */
async function startProxy(): Promise<Proxy> {
  const proxy: Proxy = { origin: '', port: 0, loses: null };
  const server = createServer({ cert: loopbackCertificate, key: loopbackKey }, (request, response) => {
    const { method, url, headers } = request;
    const onward = forward({ host: '127.0.0.1', port: proxy.port, method, path: url, headers }, (answer) => {
      if (proxy.loses) delete answer.headers[proxy.loses];
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => server.close());
  proxy.origin = `https://${host}:${(server.address() as AddressInfo).port}`;
  return proxy;
}

/** A public shop behind a proxy, and the settings of both. */
async function startPublicShop(): Promise<{
  shop: TestShop;
  proxy: Proxy;
  stripe: FakeStripe;
  env: Record<string, string>;
}> {
  const [proxy, stripe] = [await startProxy(), await startFakeStripe()];
  const settings = {
    ORIGIN: proxy.origin,
    TRUSTED_PROXIES: '1',
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    STRIPE_API_URL: stripe.url,
  };
  const shop = await startShop({ env: settings });
  cleanUps.push(() => shop.close());
  proxy.port = shop.config.port;
  const certificate = path.join(newFolder(), 'certificate.pem');
  writeFileSync(certificate, loopbackCertificate);
  const env = { ...settings, PORT: String(shop.config.port), NODE_EXTRA_CA_CERTS: certificate };
  return { shop, proxy, stripe, env };
}

const webhooks = (url: string, more: object) => ({
  status: 200,
  body: { object: 'list', data: [{ url, status: 'enabled', enabled_events: ['*'], ...more }] },
});

test('a public shop passes over https, and Stripe knows its webhook', async () => {
  const { proxy, stripe, env } = await startPublicShop();
  const address = `${proxy.origin}/webhooks/stripe`;
  stripe.answers.set('/v1/webhook_endpoints', webhooks(address, {}));
  const { status, said } = await runDoctor(env);
  expect(said).toContain(`ok    ${proxy.origin} answers, and the shop there is ready.`);
  expect(said).toContain('ok    Browsers use https alone (HSTS).');
  expect(said).toContain(`ok    Stripe sends its events to ${address}.`);
  expect(said).toContain(`ok    STRIPE_WEBHOOK_SECRET: a signed event reached the shop at ${proxy.origin}`);
  expect(said).toContain(`${proxy.origin} is public and earns nothing.`);
  expect(said).not.toContain('TRUSTED_PROXIES');
  expect(status).toBe(0);
});

test('a lost header and missing webhook events are reported', async () => {
  const { proxy, stripe, env } = await startPublicShop();
  proxy.loses = 'strict-transport-security';
  const events = { enabled_events: ['payment_intent.succeeded'] };
  stripe.answers.set('/v1/webhook_endpoints', webhooks(`${proxy.origin}/webhooks/stripe`, events));
  const { status, said } = await runDoctor({ ...env, TRUSTED_PROXIES: '0' });
  expect(said).toContain('WRONG The header Strict-Transport-Security is lost on the way');
  expect(said).toContain('note  TRUSTED_PROXIES is 0');
  expect(said).toMatch(/note {2}The webhook leaves out payment_intent\.canceled, .*refund\.failed/);
  expect(status).toBe(1);
});

test.each([
  ['is nowhere', [], 'WRONG Stripe has no webhook to https://'],
  ['is switched off', [{ status: 'disabled' }], 'WRONG The webhook to https://'],
])('a webhook that %s at Stripe fails', async (_, endpoints, sentence) => {
  const { proxy, stripe, env } = await startPublicShop();
  const data = endpoints.map((endpoint) => ({ url: `${proxy.origin}/webhooks/stripe`, ...endpoint }));
  stripe.answers.set('/v1/webhook_endpoints', { status: 200, body: { object: 'list', data } });
  expect((await runDoctor(env)).said).toContain(sentence);
});

test('an enabled webhook works beside a disabled one', async () => {
  const { proxy, stripe, env } = await startPublicShop();
  const url = `${proxy.origin}/webhooks/stripe`;
  const endpoint = (status: string, type: string) => ({ url, status, enabled_events: [type] });
  const data = [endpoint('disabled', '*'), endpoint('enabled', '*'), endpoint('enabled', 'refund.failed')];
  stripe.answers.set('/v1/webhook_endpoints', { status: 200, body: { object: 'list', data } });
  const { said } = await runDoctor(env);
  expect(said).toContain(`ok    Stripe sends its events to ${url}.`);
  expect(said).not.toContain('The webhook leaves out');
  expect(said).toContain('note  2 webhooks at Stripe lead to');
});

test('an untrusted certificate fails, and a stopped shop is noted', async () => {
  const { shop, proxy, env } = await startPublicShop();
  const { NODE_EXTRA_CA_CERTS: _, ...untrusting } = env;
  const reason = `WRONG ${proxy.origin} does not answer, though the shop runs here: self-signed certificate`;
  expect((await runDoctor(untrusting)).said).toContain(reason);

  await shop.app.close();
  const { said } = await runDoctor(env);
  expect(said).toContain(`note  The shop does not run on this machine's port ${shop.config.port}`);
});

test('another shop at the address fails, like plain http', async () => {
  const { shop, env } = await startPublicShop();
  const { said } = await runDoctor({ ...env, STRIPE_PUBLISHABLE_KEY: 'pk_test_other' });
  expect(said).toContain('runs with other payment settings than this command.');
  expect(said).toContain('WRONG The shop at https://');

  const plain = await runDoctor({ ...env, ORIGIN: `http://${host}:${shop.config.port}` });
  expect(plain.said).toContain(' is not https: passwords and payments need it.');
  expect(plain.status).toBe(1);
});
