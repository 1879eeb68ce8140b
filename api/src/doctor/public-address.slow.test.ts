import { writeFileSync } from 'node:fs';
import { request as forward, type IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { examineBy, type FakeStripe, runDoctor, startFakeStripe } from '#test/doctor.ts';
import { listen } from '#test/listen.ts';
import { loopbackCertificate, loopbackKey } from '#test/loopback-certificate.ts';
import { cleanUps, newFolder } from '#test/processes.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

/** `npm run doctor` on a public shop: behind a proxy, over https, with a Stripe webhook. */

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
  proxy.origin = `https://${host}:${await listen(server)}`;
  cleanUps.push(() => server.close());
  return proxy;
}

let proxy: Proxy;
let stripe: FakeStripe;
let shop: TestShop;
/** Of the shop behind the proxy. */
let env: Record<string, string>;
const closings: (() => unknown)[] = [];
const trusted = getCACertificates('default');

beforeAll(async () => {
  proxy = await startProxy();
  stripe = await startFakeStripe();
  closings.push(...cleanUps.splice(0));
  const settings = {
    ORIGIN: proxy.origin,
    TRUSTED_PROXIES: '1',
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    STRIPE_API_URL: stripe.url,
  };
  shop = await startShop({ env: settings });
  proxy.port = shop.config.port;
  env = { ...settings, PORT: String(shop.config.port) };
  setDefaultCACertificates([...trusted, loopbackCertificate]);
});
beforeEach(() => {
  proxy.loses = null;
  stripe.answers.clear();
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await shop.close();
  for (const close of closings) await close();
});

const webhooks = (url: string, more: object) => ({
  status: 200,
  body: { object: 'list', data: [{ url, status: 'enabled', enabled_events: ['*'], ...more }] },
});

test('a public shop passes over https, and Stripe knows its webhook', async () => {
  const address = `${proxy.origin}/webhooks/stripe`;
  stripe.answers.set('/v1/webhook_endpoints', webhooks(address, {}));
  const certificate = path.join(newFolder(), 'certificate.pem');
  writeFileSync(certificate, loopbackCertificate);
  const { status, said } = await runDoctor({ ...env, NODE_EXTRA_CA_CERTS: certificate });
  expect(said).toContain(`ok    ${proxy.origin} answers, and the shop there is ready.`);
  expect(said).toContain('ok    Browsers use https alone (HSTS).');
  expect(said).toContain(`ok    Stripe sends its events to ${address}.`);
  expect(said).toContain(`ok    STRIPE_WEBHOOK_SECRET: a signed event reached the shop at ${proxy.origin}`);
  expect(said).toContain(`${proxy.origin} is public and earns nothing.`);
  expect(said).not.toContain('TRUSTED_PROXIES');
  expect(said).not.toContain('WRONG');
  expect(status).toBe(0);
});

test('a lost header and missing webhook events are reported', async () => {
  proxy.loses = 'strict-transport-security';
  const events = { enabled_events: ['payment_intent.succeeded'] };
  stripe.answers.set('/v1/webhook_endpoints', webhooks(`${proxy.origin}/webhooks/stripe`, events));
  const { status, said } = await examineBy({ ...env, TRUSTED_PROXIES: '0' });
  expect(said).toContain('WRONG The header Strict-Transport-Security is lost on the way');
  expect(said).toContain('note  TRUSTED_PROXIES is 0');
  expect(said).toMatch(/note {2}The webhook leaves out payment_intent\.canceled, .*refund\.failed/);
  expect(status).toBe(1);
});

test.each([
  ['is nowhere', [], 'WRONG Stripe has no webhook to https://'],
  ['is switched off', [{ status: 'disabled' }], 'WRONG The webhook to https://'],
])('a webhook that %s at Stripe fails', async (_, endpoints, sentence) => {
  const data = endpoints.map((endpoint) => ({ url: `${proxy.origin}/webhooks/stripe`, ...endpoint }));
  stripe.answers.set('/v1/webhook_endpoints', { status: 200, body: { object: 'list', data } });
  expect((await examineBy(env)).said).toContain(sentence);
});

test('an enabled webhook works beside a disabled one', async () => {
  const url = `${proxy.origin}/webhooks/stripe`;
  const endpoint = (status: string, type: string) => ({ url, status, enabled_events: [type] });
  const data = [endpoint('disabled', '*'), endpoint('enabled', '*'), endpoint('enabled', 'refund.failed')];
  stripe.answers.set('/v1/webhook_endpoints', { status: 200, body: { object: 'list', data } });
  const { said } = await examineBy(env);
  expect(said).toContain(`ok    Stripe sends its events to ${url}.`);
  expect(said).not.toContain('The webhook leaves out');
  expect(said).toContain('note  2 webhooks at Stripe lead to');
});

test('another shop at the address fails, like plain http', async () => {
  const { said } = await examineBy({ ...env, STRIPE_PUBLISHABLE_KEY: 'pk_test_other' });
  expect(said).toContain('runs with other payment settings than this command.');
  expect(said).toContain('WRONG The shop at https://');

  const plain = await examineBy({ ...env, ORIGIN: `http://${host}:${shop.config.port}` });
  expect(plain.said).toContain(' is not https: passwords and payments need it.');
  expect(plain.status).toBe(1);
});

test('an untrusted certificate fails', async () => {
  // A process of its own has no connection that is trusted already.
  const reason = `WRONG ${proxy.origin} does not answer, though the shop runs here: self-signed certificate`;
  expect((await runDoctor(env)).said).toContain(reason);
});

// The last one, as no other shop starts.
test('a stopped shop is noted', async () => {
  await shop.app.close();
  const { said } = await examineBy(env);
  expect(said).toContain(`note  The shop does not run on this machine's port ${shop.config.port}`);
});
