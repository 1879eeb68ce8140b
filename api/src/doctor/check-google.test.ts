import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { listen } from '#test/listen.ts';
import { checkGoogle } from './check-google.ts';

const client = { GOOGLE_CLIENT_ID: 'the-shop', GOOGLE_CLIENT_SECRET: 'a secret of the shop' };
const address = 'https://parts.example/identity/callback/google';

/** A third-party OpenID provider with the shop as its client. */
let issuer: string;
let server: Server;
beforeAll(async () => {
  const port = await freePort();
  issuer = `http://localhost:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.GOOGLE_CLIENT_ID,
        client_secret: client.GOOGLE_CLIENT_SECRET,
        redirect_uris: [address],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: ['a key of the tests'] },
  });
  server = provider.listen(port, 'localhost');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const check = (env: Record<string, string>) =>
  checkGoogle({
    config: readConfig({ ORIGIN: 'https://parts.example', PAYMENTS: 'sandbox', ...env }),
    openDatabase: async () => null,
  });
const documentAt = (origin: string) => `${origin}/.well-known/openid-configuration`;

/** A server with one fixed response. */
async function startAnswering(body: string): Promise<string> {
  const answering = createServer((_request, response) => response.end(body));
  onTestFinished(() => void answering.close());
  return `http://127.0.0.1:${await listen(answering)}`;
}

test('the check finds nothing if Google is not set up', async () => {
  expect(await check({})).toEqual([]);
});

test('a provider that knows the shop is confirmed with its redirect address', async () => {
  expect(await check({ ...client, GOOGLE_DISCOVERY_URL: documentAt(issuer) })).toEqual([
    { verdict: 'works', sentence: `The discovery document of ${issuer} can be read.` },
    { verdict: 'works', sentence: `${issuer} takes GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.` },
    { verdict: 'note', sentence: `At ${issuer}, ${address} must be among the client's redirect addresses.` },
  ]);
});

test.each([
  ['secret', { GOOGLE_CLIENT_SECRET: 'another' }],
  ['client id', { GOOGLE_CLIENT_ID: 'another' }],
])('another %s fails', async (_, change) => {
  const findings = await check({ ...client, ...change, GOOGLE_DISCOVERY_URL: documentAt(issuer) });
  expect(findings[1]).toEqual({
    verdict: 'fails',
    sentence: `${issuer} refuses GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET: invalid_client.`,
  });
});

test('the document of another issuer fails', async () => {
  const copy = await startAnswering(await (await fetch(documentAt(issuer))).text());
  const [first] = await check({ ...client, GOOGLE_DISCOVERY_URL: documentAt(copy) });
  expect(first).toEqual({
    verdict: 'fails',
    sentence: `GOOGLE_DISCOVERY_URL ${documentAt(copy)} gives the document of another issuer: ${issuer}.`,
  });
});

test('an unreachable provider and an invalid document fail', async () => {
  const url = documentAt(`http://127.0.0.1:${await freePort()}`);
  expect(await check({ ...client, GOOGLE_DISCOVERY_URL: url })).toEqual([
    {
      verdict: 'fails',
      sentence: expect.stringMatching(/^GOOGLE_DISCOVERY_URL .+ cannot be used: connect ECONNREFUSED/),
    },
  ]);
  const page = await startAnswering('{"hello":"there"}');
  expect(await check({ ...client, GOOGLE_DISCOVERY_URL: documentAt(page) })).toMatchObject([
    { verdict: 'fails', sentence: expect.stringContaining('it is no discovery document.') },
  ]);
});

test('a meaningless response to the client proves nothing', async () => {
  const origin = await startAnswering('');
  const endpoints = { authorization_endpoint: origin, token_endpoint: origin, jwks_uri: origin };
  const odd = await startAnswering(JSON.stringify({ issuer: origin, ...endpoints }));
  const findings = await check({ ...client, GOOGLE_DISCOVERY_URL: documentAt(odd) });
  expect(findings[1]).toMatchObject({ verdict: 'note', sentence: expect.stringContaining('cannot be seen') });
});
