import * as z from 'zod/mini';
import type { server } from './server.ts';
import { choice, milliseconds, type SettingsGroup, setting, type Values, wholeNumber } from './setting.ts';

const settings = {
  RATE_LIMITS: setting(
    '`off` disables all rate limits except the throttle on wrong passwords.',
    z._default(choice(['on', 'off']), 'on'),
  ),
  UNPAID_ORDERS: setting(
    'Maximum unpaid orders of one account; `0` means no limit, and so does `RATE_LIMITS=off`.',
    z._default(wholeNumber(0, 10_000), 50),
  ),
  REQUEST_TIMEOUT_MS: setting(
    'Request timeout (ms): a request that takes longer is answered 503. Uploads may take a minute.',
    z._default(milliseconds(), 18_000),
  ),
  HEADERS_TIMEOUT_MS: setting(
    'Timeout (ms) for the head of a request; the shop closes a connection that sends none.',
    z._default(milliseconds(), 10_000),
  ),
  BODY_TIMEOUT_MS: setting(
    'Timeout (ms) for the body of a request after its head; uploads may take a minute.',
    z._default(milliseconds(), 20_000),
  ),
  RESPONSE_TIMEOUT_MS: setting(
    'Timeout (ms) for a client to read a response; the shop closes slower connections.',
    z._default(milliseconds(), 60_000),
  ),
  DOWNLOAD_TIMEOUT_MS: setting(
    'Timeout (ms) for a client to read a whole file (`POST /downloads`). The client must also read some of it every `RESPONSE_TIMEOUT_MS`.',
    z._default(wholeNumber(100, 86_400_000), 1_800_000),
  ),
  MAX_CONNECTIONS: setting(
    'Maximum open connections; the last fifth is reserved for addresses with few of them.',
    z._default(wholeNumber(10, 100_000), 5000),
  ),
  MAX_CONNECTIONS_PER_ADDRESS: setting(
    "Maximum open connections of one address (IPv6: of one /64). No effect with `TRUSTED_PROXIES`: every connection is then the proxy's, which has to limit them.",
    z._default(wholeNumber(1, 100_000), 1000),
  ),
  MAX_STREAMS_PER_ADDRESS: setting(
    'Maximum event streams (`GET /live`) of one address (IPv6: of one /64). Each visible browser window has one. All streams together take at most four fifths of `MAX_CONNECTIONS`.',
    z._default(wholeNumber(1, 100_000), 200),
  ),
};

export const limits = { title: 'Limits', settings } satisfies SettingsGroup;

export const readLimits = (
  values: Values<typeof settings & Pick<typeof server.settings, 'TRUSTED_PROXIES'>>,
) => ({
  rateLimits: values.RATE_LIMITS === 'on',
  maxUnpaidOrders: values.RATE_LIMITS === 'on' && values.UNPAID_ORDERS > 0 ? values.UNPAID_ORDERS : null,
  requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
  /** From the connection or the end of the last response. */
  headersTimeoutMs: values.HEADERS_TIMEOUT_MS,
  bodyTimeoutMs: values.BODY_TIMEOUT_MS,
  responseTimeoutMs: values.RESPONSE_TIMEOUT_MS,
  downloadTimeoutMs: values.DOWNLOAD_TIMEOUT_MS,
  maxConnections: values.MAX_CONNECTIONS,
  /** Per IPv4 address or IPv6 /64; null behind a proxy. */
  maxConnectionsPerAddress: values.TRUSTED_PROXIES > 0 ? null : values.MAX_CONNECTIONS_PER_ADDRESS,
  maxStreamsPerAddress: values.MAX_STREAMS_PER_ADDRESS,
});
