import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { addAliasFile } from '@parts-forge/contract/orders/aliases';
import { addBatchFile } from '@parts-forge/contract/orders/batch';
import { readParcelFile } from '@parts-forge/contract/orders/order-bulk';
import { importProducts } from '@parts-forge/contract/products/catalogue';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { beforeAll, expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { describedOperations } from '#test/described-operations.ts';
import type { Operation } from '#test/hostile-requests.ts';
import { anAccount, fetchIdToken } from '#test/identity.ts';
import type { TestShop } from '#test/start-shop.ts';
import { startForTest, usePerson, useShop } from '#test/use-shop.ts';

/** A call of the OpenAPI document, with an address that fits it. */
interface Described {
  method: string;
  path: string;
  security: string | null;
  statuses: string[];
  /** The 403 by role that the call can give. */
  role: 'admin-needed' | 'customers-only' | null;
  required: string[];
  /** The required headers. */
  headers: Record<string, string>;
}

const shop = useShop();
const admin = usePerson(shop, 'admin');
const customer = usePerson(shop, 'user');
let calls: Described[];
let idToken: string;

beforeAll(async () => {
  const account = await anAccount(shop);
  idToken = await fetchIdToken(shop, account);
  calls = (await describedOperations(shop.app)).map((operation) => describeCall(operation, account.email));
});

function describeCall(operation: Operation, email: string): Described {
  const { method, path, security, responses, body, parameters } = operation;
  const forbidden = JSON.stringify(responses['403'] ?? {});
  // The list of orders is for administrators only if it names no customer; restocking is for both.
  const role = /admin-needed|customers-only/.exec(forbidden)?.[0] ?? null;
  const needed = parameters.filter((parameter) => parameter.in === 'header' && parameter.required);
  return {
    method,
    path: path.replace('{id}', randomUUID()).replace('{email}', email),
    security,
    statuses: Object.keys(responses),
    role: role as Described['role'],
    required: security === 'stripeSignature' ? [] : (body?.required ?? []),
    headers: Object.fromEntries(needed.map(({ name }) => [name, '"1"'])),
  };
}

const label = ({ method, path }: Described) => `${method} ${path}`;
const tokenFor = ({ security, role }: Described) => {
  if (security === 'identityToken') return idToken;
  if (security !== 'accessToken') return null;
  return role === 'admin-needed' ? admin.token : customer.token;
};

test('a call with a body refuses with 413, then 415, then 400', async () => {
  const taking = calls.filter(({ statuses }) => statuses.includes('415'));
  expect(taking.length).toBeGreaterThan(15);
  // Forms, files and signed events are read in other ways.
  const ofJson = taking.filter(
    ({ security, path }) =>
      security !== 'uploadKey' &&
      security !== 'stripeSignature' &&
      ![importProducts.path, readParcelFile.path, addBatchFile.path, addAliasFile.path].includes(path),
  );
  for (const call of ofJson) {
    const { method, path, headers } = call;
    const send = (body: string, type: string, encoding = 'identity') =>
      shop.request(path, {
        method,
        token: tokenFor(call),
        body,
        headers: { ...headers, 'content-type': type, 'content-encoding': encoding },
      });
    const answers = [
      await send('x'.repeat(65_537), 'text/plain'),
      await send('a=b', 'text/plain'),
      await send('{}', 'application/json', 'gzip'),
      await send('{}', 'application/json; charset=latin1'),
      await send('{"a":', 'application/json'),
      await send('{"a":"\u0000"}', 'application/json'),
    ];
    expect(
      answers.map(({ status }) => status),
      label(call),
    ).toEqual([413, 415, 415, 415, 400, 400]);
    const taken = 'Send application/json in UTF-8, without a Content-Encoding';
    for (const { body } of answers.slice(1, 4)) expect(body.detail, label(call)).toBe(taken);
  }
});

test('a file in a foreign kind is told which kinds are taken', async () => {
  const { token } = admin;
  const send = (path: string, type: string, encoding = 'Identity') =>
    shop.request(path, {
      method: 'POST',
      token,
      body: 'number,stock\nPF-1,2',
      headers: { 'content-type': type, 'content-encoding': encoding },
    });
  for (const type of ['text/plain', 'application/csv', 'text/csv; charset=utf-8'])
    expect((await send('/product/import', type)).status, type).toBe(200);
  for (const refused of [
    await send('/product/import', 'multipart/form-data; boundary=x'),
    await send('/product/import', 'text/csv', 'gzip'),
  ]) {
    expect([refused.status, refused.body.detail]).toEqual([415, expect.stringMatching(/^Send text\/csv, /)]);
  }
  const { key } = (await shop.request('/images/key', { method: 'POST', token })).body;
  const upload = `/images/upload?key=${encodeURIComponent(key)}`;
  const picture = await send(upload, 'image/png');
  expect([picture.status, picture.body.detail]).toEqual([
    415,
    expect.stringMatching(/^Send multipart\/form-data with a picture \(image\/jpeg, .*\) as `image`/),
  ]);
  expect((await send(`${upload}&kind=png`, 'image/png')).body.errors).toMatchObject([{ path: 'kind' }]);
});

test('a missing required header is 428, between 413 and the body checks', async () => {
  const asking = calls.filter(({ headers }) => Object.keys(headers).length > 0);
  expect(asking.length).toBeGreaterThan(0);
  for (const call of asking) {
    const { method, path } = call;
    const send = (body: string) =>
      shop.request(path, { method, token: tokenFor(call), body, headers: { 'content-type': 'text/plain' } });
    expect((await send('x'.repeat(65_537))).status, label(call)).toBe(413);
    const refused = await send('a=b');
    expect([refused.status, refused.body.type], label(call)).toEqual([
      428,
      'urn:parts-forge:problem:header-required',
    ]);
    expect(Object.keys(call.headers).join(), label(call)).toBe(refused.body.detail.split(' ')[0]);
  }
});

test('a call with required fields names every missing one', async () => {
  const asking = calls.filter(({ required }) => required.length > 0);
  expect(asking.length).toBeGreaterThan(7);
  for (const call of asking) {
    const { method, path, required, headers } = call;
    const refused = await shop.request(path, { method, token: tokenFor(call), body: {}, headers });
    expect(refused.status, label(call)).toBe(422);
    const fields = refused.body.errors.map((error: { path: string }) => error.path);
    expect(fields.sort(), label(call)).toEqual([...required].sort());
  }
});

test('a guarded call is 401 without a valid token, before all else', async () => {
  const guarded = calls.filter(({ statuses }) => statuses.includes('401'));
  expect(guarded.length).toBeGreaterThan(15);
  for (const call of guarded) {
    const { method, path } = call;
    for (const authorization of ['', 'Bearer', `Bearer ${'x'.repeat(43)}`, `Basic ${customer.token}`]) {
      const body = method === 'GET' ? undefined : '{"a":';
      const refused = await shop.request(path, { method, body, headers: { authorization } });
      expect(refused.status, `${label(call)} with ${authorization}`).toBe(401);
    }
  }
});

test('a call for one role is 403 before its body is checked', async () => {
  // The files that a person may have depend on the body.
  const forOneRole = calls.filter(({ role, path }) => role !== null && path !== '/downloads');
  expect(forOneRole.length).toBeGreaterThan(9);
  for (const call of forOneRole) {
    const { method, path, role } = call;
    const { token } = role === 'admin-needed' ? customer : admin;
    const body = method === 'GET' ? undefined : '{"a":';
    const refused = await shop.request(path, { method, token, body });
    expect([refused.status, refused.body.type], label(call)).toEqual([
      403,
      `urn:parts-forge:problem:${role}`,
    ]);
  }
});

test('an address that cannot be decoded is 404 for every call', async () => {
  for (const call of calls) {
    const path = call.path.replace(/[^/]+$/, '%E0%A4%A');
    const refused = await shop.request(path, { method: call.method, token: tokenFor(call) });
    expect(refused.status, `${call.method} ${path}`).toBe(404);
  }
});

test('HEAD of a read gets exactly the headers of GET', async () => {
  const reads = calls.filter(({ method }) => method === 'GET');
  expect(reads.length).toBeGreaterThan(7);
  for (const call of reads) {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => shop.request(call.path, { method, token: tokenFor(call) })),
    );
    expect([head?.status, head?.body], label(call)).toEqual([get?.status, null]);
    for (const name of ['content-type', 'cache-control', 'etag', 'x-total-count', 'www-authenticate']) {
      expect(head?.headers.get(name), `${label(call)} ${name}`).toBe(get?.headers.get(name));
    }
  }
});

test('a literal path takes only its own methods, beside parameters too', async () => {
  for (const path of ['/images/key', '/images/upload']) {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const { status, headers } = await shop.request(path, { method });
      expect([status, headers.get('allow')], `${method} ${path}`).toEqual([405, 'POST']);
    }
  }
  for (const [method, path, allow] of [
    ['PUT', '/product/import', 'GET, HEAD, POST'],
    ['DELETE', '/product/facets?x=1', 'GET, HEAD'],
    ['GET', '/order/bulk', 'POST'],
    ['PUT', '/batch/lines', 'POST'],
  ] as const) {
    const { status, headers } = await shop.request(path, { method });
    expect([status, headers.get('allow')], `${method} ${path}`).toEqual([405, allow]);
  }
  const picture = `/images/${'0'.repeat(64)}-1280.webp`;
  expect((await shop.request(picture, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
});

test('with any body, a wrong method is 405, an unknown path 404', async () => {
  for (const [method, path, status] of [
    ['PUT', '/product', 405],
    ['PATCH', '/order', 405],
    ['DELETE', '/create-payment-intent', 405],
    ['QUERY', '/review', 405],
    ['POST', '/nothing', 404],
    ['QUERY', '/nothing', 404],
  ] as const) {
    for (const [body, type] of [
      ['{"a":', 'application/json'],
      ['x'.repeat(70_000), 'text/plain'],
    ] as const) {
      const refused = await shop.request(path, { method, body, headers: { 'content-type': type } });
      expect(refused.status, `${method} ${path} ${type}`).toBe(status);
    }
    expect((await shop.request(path, { method })).status, `${method} ${path}`).toBe(status);
  }
});

test('a JSON body may have 64 KiB and not one byte more', async () => {
  const send = (bytes: number) => {
    const review = { email: customer.email, rating: 5, description: 'Large.', name: '' };
    const room = bytes - JSON.stringify(review).length;
    const body = { ...review, name: 'x'.repeat(room) };
    return customer.post('/review', body);
  };
  expect((await send(65_536)).status).toBe(200);
  expect((await send(65_537)).status).toBe(413);
});

test('a thousand requests in flight make others 503, except for monitoring', async () => {
  const busy = await startForTest({ env: { STATEMENT_TIMEOUT_MS: '60000' }, shareDatabaseWith: shop });
  // Cached reads are no exception.
  for (let read = 0; read < 3; read += 1) await busy.request('/product');
  const hanging = await shop.db.transaction(async (tx) => {
    await tx.execute('lock table reviews in access exclusive mode');
    const reads = Array.from({ length: 1000 }, () => busy.app.inject('/review'));
    await expect.poll(async () => (await busy.request('/product')).status).toBe(503);
    const shed = await busy.request('/product');
    expect([shed.body.type, shed.headers.get('retry-after')]).toEqual([
      'urn:parts-forge:problem:overloaded',
      '2',
    ]);
    expect((await busy.request('/healthz')).status).toBe(200);
    expect((await busy.request('/readyz')).status).toBe(200);
    return reads;
  });
  const statuses = (await Promise.all(hanging)).map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await busy.request('/product')).status).toBe(200);
  busy.expectErrors(expect.arrayContaining([expect.objectContaining({ code: 'overloaded' })]));
});

test('calls that need the database are 503 during an outage, then recover', async () => {
  const line = await aLineTo(shop);
  const distant = await startForTest({
    shareDatabaseWith: {
      ...shop,
      services: { ...shop.services, database: { ...shop.services.database, connection: line.connection } },
    },
  });
  try {
    const account = await anAccount(distant);
    const proof = await fetchIdToken(distant, account);
    const person = await signedInAs(distant, 'user');
    // A stream begins all the same, and reports when the database is back. A call for anybody checks its body first.
    const needing = calls.filter(
      ({ path, security }) =>
        !['/config', '/live', '/wish/stop'].includes(path) && security !== 'stripeSignature',
    );
    const ask = (call: Described) => {
      const token = {
        accessToken: call.role === 'admin-needed' ? admin.token : person.token,
        identityToken: proof,
      };
      return distant.request(call.path, {
        method: call.method,
        token: token[call.security as keyof typeof token],
        ...(call.method !== 'GET' && { body: {} }),
      });
    };
    line.cut();
    for (const call of needing.filter(({ security }) => security !== 'uploadKey')) {
      const { status, body, headers } = await ask(call);
      expect([status, body.type], label(call)).toEqual([503, 'urn:parts-forge:problem:unavailable']);
      expect(headers.get('retry-after'), label(call)).toBe('5');
    }
    expect((await distant.request('/config')).status).toBe(200);
    expect((await distant.request('/healthz')).status).toBe(200);
    expect((await distant.request('/readyz')).status).toBe(503);
    // Idle connections log their end, too.
    distant.expectErrors();
    await line.mend();
    await expect.poll(async () => (await distant.request('/readyz')).status).toBe(200);
    for (const call of needing) expect((await ask(call)).status, label(call)).toBeLessThan(500);
  } finally {
    line.cut();
  }
});

/** The database behind a line that can be cut, as if on another machine. */
async function aLineTo({ services: { database } }: TestShop) {
  const { connectionString, host = '', port = 5432 } = database.connection;
  const address = connectionString ? new URL(connectionString) : null;
  const target = address
    ? { host: address.hostname, port: Number(address.port || 5432) }
    : host.startsWith('/')
      ? { path: `${host}/.s.PGSQL.${port}` }
      : { host, port };
  const sockets = new Set<Socket>();
  const line = createServer((near) => {
    const far = connect(target);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  const localPort = await freePort();
  const mend = () => new Promise<void>((resolve) => line.listen(localPort, '127.0.0.1', resolve));
  await mend();
  if (address) Object.assign(address, { hostname: '127.0.0.1', port: String(localPort) });
  return {
    connection: address
      ? { ...database.connection, connectionString: address.href }
      : { ...database.connection, host: '127.0.0.1', port: localPort },
    mend,
    cut() {
      line.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
