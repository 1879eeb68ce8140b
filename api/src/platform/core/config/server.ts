import path from 'node:path';
import { isTimeZone } from '@parts-forge/contract/text/days';
import * as z from 'zod/mini';
import {
  choice,
  crossCheck,
  isOrigin,
  originText,
  type SettingsGroup,
  setting,
  splitList,
  type Values,
  wholeNumber,
} from './setting.ts';

const settings = {
  PORT: setting('TCP port to listen on; `0` takes any free one.', z._default(wholeNumber(0, 65_535), 3000)),
  HOST: setting(
    'Address to listen on; `0.0.0.0` listens on every network of the machine.',
    z._default(z.string(), '127.0.0.1'),
  ),
  WORKERS: setting(
    'Worker processes that share the port and the database; more than one needs Linux.',
    z._default(wholeNumber(1, 32), 1),
  ),
  DRAIN_MS: setting(
    'How long (ms) to keep serving after SIGTERM while `/readyz` answers 503, so that a load balancer drains first.',
    z._default(wholeNumber(0, 60_000), 0),
  ),
  ORIGIN: setting(
    'Public origin such as `https://shop.example`, for canonical links and sign-in. Without it the shop trusts localhost and 127.0.0.1 on its port.',
    z.optional(originText()),
  ),
  ALLOWED_ORIGINS: setting(
    'Further origins whose pages may call the API (CORS), separated by commas.',
    z.optional(z.string()),
  ),
  WEBHOOK_HOSTS: setting(
    'Hosts such as `erp.internal` or `10.0.0.5:8443`, separated by commas, whose webhooks may have a private address and http; with a port at that port alone. All others need https and a public address.',
    z.optional(z.string()),
  ),
  TRUSTED_PROXIES: setting(
    'Number of proxies in front of the shop whose `X-Forwarded-For` it trusts.',
    z._default(wholeNumber(0, 10), 0),
  ),
  DATA_DIR: setting(
    'Folder of the embedded database and of uploaded pictures.',
    z._default(z.string(), './data'),
  ),
  SEED: setting(
    '`demo` fills an empty shop with parts, reviews, and customers with sixty days of orders. The customers and orders come only to a shop that this machine alone can reach and that uses no real payments, mail or sign-in. `catalogue` fills in parts and reviews, `none` nothing.',
    z._default(choice(['demo', 'catalogue', 'none']), 'demo'),
  ),
  SHOP_TIME_ZONE: setting(
    'IANA time zone such as `Africa/Accra`. It decides where days and weeks begin: in revenue, activity, pick lists, invoices and file names.',
    z._default(
      z.string().check(z.refine(isTimeZone, 'must be the IANA name of a time zone, such as Africa/Accra.')),
      'UTC',
    ),
  ),
};

const switches = {
  NODE_ENV: z.optional(z.string()),
  LIVE_PAGES: z.optional(choice(['0', '1'])),
};

const { ALLOWED_ORIGINS, WEBHOOK_HOSTS } = settings;

export const server = {
  title: 'Server',
  settings,
  switches,
  checks: [
    crossCheck({ ALLOWED_ORIGINS }, (values) =>
      splitList(values.ALLOWED_ORIGINS)
        .filter((value) => !isOrigin(value))
        .map((value) => `ALLOWED_ORIGINS: ${value} is not an origin.`),
    ),
    crossCheck({ WEBHOOK_HOSTS }, (values) =>
      splitList(values.WEBHOOK_HOSTS)
        .filter((value) => !isHost(value))
        .map((value) => `WEBHOOK_HOSTS: ${value} is not a host in lower case, with IPv6 in brackets.`),
    ),
  ],
} satisfies SettingsGroup;

const isHost = (value: string): boolean =>
  /^[\w.:[\]-]+$/.test(value) && URL.parse(`http://${value}`)?.hostname === value.replace(/:\d{1,5}$/, '');

export type ServerConfig = ReturnType<typeof readServer>;

export function readServer(values: Values<typeof settings & typeof switches>) {
  const production = isProduction(values);
  return {
    production,
    port: values.PORT,
    host: values.HOST,
    workers: values.WORKERS,
    drainMs: values.DRAIN_MS,
    /** Null: localhost and 127.0.0.1. */
    origin: values.ORIGIN ?? null,
    allowedOrigins: splitList(values.ALLOWED_ORIGINS),
    webhookHosts: splitList(values.WEBHOOK_HOSTS),
    trustedProxies: values.TRUSTED_PROXIES,
    /** Opens the shop to other machines. */
    publicBy: findPublicSetting(values),
    /** Absolute; holds the embedded database and pictures. */
    dataDir: path.resolve(values.DATA_DIR),
    seed: values.SEED,
    timeZone: values.SHOP_TIME_ZONE,
    /** Pages from their sources, for development; never in production. */
    livePages: values.LIVE_PAGES === '1' && !production,
  };
}

export const isProduction = ({ NODE_ENV }: Pick<Values<typeof switches>, 'NODE_ENV'>): boolean =>
  NODE_ENV === 'production';

export const trustedOrigins = (config: Pick<ServerConfig, 'origin' | 'port'>): string[] =>
  config.origin ? [config.origin] : [`http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`];

export const divideAmongWorkers = (bound: number, { workers }: Pick<ServerConfig, 'workers'>): number =>
  Math.max(1, Math.floor(bound / workers));

export const isServedByOthers = ({
  workers,
  databaseUrl,
}: Pick<ServerConfig, 'workers'> & { databaseUrl: string | null }): boolean =>
  workers > 1 || databaseUrl !== null;

export const isPublicHttps = ({ origin }: Pick<ServerConfig, 'origin'>): boolean =>
  origin?.startsWith('https:') === true && !isLoopback(origin);

export type Reach = 'ORIGIN' | 'HOST' | 'TRUSTED_PROXIES' | 'ALLOWED_ORIGINS';

/** Null when only this machine reaches the shop. */
export function findPublicSetting(values: Pick<Values<typeof settings>, Reach>): Reach | null {
  if (values.ORIGIN !== undefined && !isLoopback(values.ORIGIN)) return 'ORIGIN';
  if (!isLoopbackHost(values.HOST)) return 'HOST';
  if (values.TRUSTED_PROXIES > 0) return 'TRUSTED_PROXIES';
  const isPublic = splitList(values.ALLOWED_ORIGINS).some((value) => isOrigin(value) && !isLoopback(value));
  return isPublic ? 'ALLOWED_ORIGINS' : null;
}

export const isLoopback = (origin: string): boolean => isLoopbackHost(new URL(origin).hostname);
export const isLoopbackHost = (host: string) => /^(localhost|127\.[0-9.]+|\[?::1\]?)$/.test(host);
