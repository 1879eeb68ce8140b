import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { type Env, refusals } from '#test/settings.ts';

test('every limit has a default', () => {
  expect(readConfig({})).toMatchObject({
    rateLimits: true,
    maxUnpaidOrders: 50,
    requestTimeoutMs: 18_000,
    headersTimeoutMs: 10_000,
    bodyTimeoutMs: 20_000,
    responseTimeoutMs: 60_000,
    downloadTimeoutMs: 1_800_000,
    maxConnections: 5000,
    maxConnectionsPerAddress: 1000,
    maxStreamsPerAddress: 200,
  });
});

test('every limit is read', () => {
  const env = {
    UNPAID_ORDERS: '7',
    REQUEST_TIMEOUT_MS: '600000',
    HEADERS_TIMEOUT_MS: '1000',
    BODY_TIMEOUT_MS: '2000',
    RESPONSE_TIMEOUT_MS: '3000',
    DOWNLOAD_TIMEOUT_MS: '4000',
    MAX_CONNECTIONS: '400',
    MAX_CONNECTIONS_PER_ADDRESS: '50',
    MAX_STREAMS_PER_ADDRESS: '9',
  };
  expect(readConfig(env)).toMatchObject({
    maxUnpaidOrders: 7,
    requestTimeoutMs: 600_000,
    headersTimeoutMs: 1000,
    bodyTimeoutMs: 2000,
    responseTimeoutMs: 3000,
    downloadTimeoutMs: 4000,
    maxConnections: 400,
    maxConnectionsPerAddress: 50,
    maxStreamsPerAddress: 9,
  });
});

test.each<Env>([{ RATE_LIMITS: 'off' }, { UNPAID_ORDERS: '0' }])(
  '%o allows any number of unpaid orders',
  (env) => {
    expect(readConfig(env).maxUnpaidOrders).toBeNull();
    expect(readConfig(env).rateLimits).toBe(env.RATE_LIMITS !== 'off');
  },
);

test('connections per address are unlimited behind proxies', () => {
  const env = { TRUSTED_PROXIES: '1', PAYMENTS: 'sandbox', MAX_CONNECTIONS_PER_ADDRESS: '50' };
  expect(readConfig(env).maxConnectionsPerAddress).toBeNull();
});

test.each([
  [{ UNPAID_ORDERS: '10001' }, 'UNPAID_ORDERS must be a whole number from 0 to 10000.'],
  [{ RATE_LIMITS: '0' }, 'RATE_LIMITS must be one of on, off.'],
  [{ REQUEST_TIMEOUT_MS: '600001' }, 'REQUEST_TIMEOUT_MS must be a whole number from 100 to 600000.'],
  [{ MAX_CONNECTIONS: '9' }, 'MAX_CONNECTIONS must be a whole number from 10 to 100000.'],
])('%o is refused', (env: Env, sentence) => {
  expect(refusals(env)).toEqual([sentence]);
});

test('UNPAID_ORDERS accepts its maximum', () => {
  expect(readConfig({ UNPAID_ORDERS: '10000' }).maxUnpaidOrders).toBe(10_000);
});
