import path from 'node:path';
import * as z from 'zod/mini';

/**
 * The settings of the shop, read once at start from the environment. All are optional; nothing else reads it.
 */
export interface Config {
  production: boolean;
  /** TCP port, 0 for any free one. */
  port: number;
  host: string;
  /** The one public origin, or null: localhost and 127.0.0.1 on the port are trusted then. */
  origin: string | null;
  /** Absolute path of the folder for the embedded database and pictures. */
  dataDir: string;
  databaseUrl: string | null;
  adminEmail: string | null;
  adminPassword: string | null;
  identity: 'embedded' | 'firebase';
  google: { clientId: string; clientSecret: string; discoveryUrl: string } | null;
  identitySecret: string | null;
  /** Origins of other front ends that may make the calls. */
  allowedOrigins: string[];
  /** Null: the card sandbox. */
  stripe: { secretKey: string; publishableKey: string; webhookSecrets: string[] } | null;
  /** Opens the sandbox's control endpoint, for tests; never in production. */
  sandboxControl: boolean;
  /** Pages straight from their sources instead of the build, for development; never in production. */
  livePages: boolean;
  rateLimits: boolean;
  /** Hops of trusted proxies before this server, 0 for none. */
  trustedProxies: number;
  seed: 'demo' | 'none';
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

/** Everything that is wrong with the settings, a sentence each. */
export class ConfigError extends Error {
  readonly sentences: readonly string[];
  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.name = 'ConfigError';
    this.sentences = sentences;
  }
}

const wholeNumber = (name: string, min: number, max: number) =>
  z.pipe(
    z.string().check(z.regex(/^[0-9]{1,6}$/, `${name} must be a whole number from ${min} to ${max}.`)),
    z.pipe(
      z.transform(Number),
      z
        .int()
        .check(
          z.gte(min, `${name} must be a whole number from ${min} to ${max}.`),
          z.lte(max, `${name} must be a whole number from ${min} to ${max}.`),
        ),
    ),
  );
const origin = (name: string) =>
  z
    .string()
    .check(z.refine((value) => isOrigin(value), `${name} must be an origin such as https://shop.example.`));
const oneOf = <const Values extends readonly string[]>(name: string, values: Values) =>
  z.enum(values, `${name} must be one of ${values.join(', ')}.`);

const environment = z.object({
  NODE_ENV: z._default(z.string(), 'development'),
  PORT: z._default(wholeNumber('PORT', 0, 65_535), 3000),
  HOST: z._default(z.string(), '127.0.0.1'),
  ORIGIN: z.optional(origin('ORIGIN')),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: z.optional(
    z
      .string()
      .check(z.regex(/^postgres(ql)?:\/\//, 'DATABASE_URL must begin with postgres:// or postgresql://.')),
  ),
  ADMIN_EMAIL: z.optional(
    z.string().check(z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/, 'ADMIN_EMAIL must be an email address.')),
  ),
  ADMIN_PASSWORD: z.optional(
    z.string().check(z.minLength(12, 'ADMIN_PASSWORD must be 12 characters or longer.')),
  ),
  IDENTITY: z._default(oneOf('IDENTITY', ['embedded', 'firebase']), 'embedded'),
  GOOGLE_CLIENT_ID: z.optional(z.string()),
  GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  GOOGLE_DISCOVERY_URL: z._default(
    z.string(),
    'https://accounts.google.com/.well-known/openid-configuration',
  ),
  IDENTITY_SECRET: z.optional(
    z.string().check(z.minLength(32, 'IDENTITY_SECRET must be 32 characters or longer.')),
  ),
  ALLOWED_ORIGINS: z._default(z.string(), ''),
  PAYMENTS: z.optional(oneOf('PAYMENTS', ['sandbox'])),
  STRIPE_SECRET_KEY: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^[sr]k_(test|live)_\w+$/,
          'STRIPE_SECRET_KEY must begin with sk_test_, sk_live_, rk_test_ or rk_live_.',
        ),
      ),
  ),
  STRIPE_PUBLISHABLE_KEY: z.optional(
    z
      .string()
      .check(z.regex(/^pk_(test|live)_\w+$/, 'STRIPE_PUBLISHABLE_KEY must begin with pk_test_ or pk_live_.')),
  ),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string()),
  SANDBOX_CONTROL: z._default(oneOf('SANDBOX_CONTROL', ['0', '1']), '0'),
  LIVE_PAGES: z._default(oneOf('LIVE_PAGES', ['0', '1']), '0'),
  RATE_LIMITS: z._default(oneOf('RATE_LIMITS', ['on', 'off']), 'on'),
  TRUSTED_PROXIES: z._default(wholeNumber('TRUSTED_PROXIES', 0, 10), 0),
  SEED: z._default(oneOf('SEED', ['demo', 'none']), 'demo'),
  LOG_LEVEL: z._default(
    oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
  ),
});

/**
 * Reads the settings. An empty value counts as absent.
 * @throws ConfigError with everything that is wrong, not only the first
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(({ message }) => message));
  const values = parsed.data;
  const production = values.NODE_ENV === 'production';
  const allowedOrigins = values.ALLOWED_ORIGINS.split(/[\s,]+/).filter(Boolean);

  const wrong = [
    ...allowedOrigins
      .filter((value) => !isOrigin(value))
      .map((value) => `ALLOWED_ORIGINS: ${value} is not an origin.`),
    ...stripeMistakes(values),
    ...together(values, 'ADMIN_EMAIL', 'ADMIN_PASSWORD'),
    ...together(values, 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'),
  ];
  if (values.IDENTITY === 'firebase')
    wrong.push('IDENTITY=firebase is not available yet; leave IDENTITY unset.');
  if (values.GOOGLE_CLIENT_ID)
    wrong.push('Google sign-in is not available yet; leave GOOGLE_CLIENT_ID unset.');
  if (values.SANDBOX_CONTROL === '1' && production)
    wrong.push('SANDBOX_CONTROL must not be set in production.');
  if (
    !values.STRIPE_SECRET_KEY &&
    values.PAYMENTS !== 'sandbox' &&
    values.ORIGIN &&
    !isLoopback(values.ORIGIN)
  ) {
    wrong.push(
      'A public shop needs STRIPE_SECRET_KEY; set PAYMENTS=sandbox to run it with the card sandbox, which moves no money.',
    );
  }
  if (wrong.length > 0) throw new ConfigError(wrong);

  return {
    production,
    port: values.PORT,
    host: values.HOST,
    origin: values.ORIGIN ?? null,
    dataDir: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    adminEmail: values.ADMIN_EMAIL ?? null,
    adminPassword: values.ADMIN_PASSWORD ?? null,
    identity: values.IDENTITY,
    google: null,
    identitySecret: values.IDENTITY_SECRET ?? null,
    allowedOrigins,
    stripe:
      values.STRIPE_SECRET_KEY && values.STRIPE_PUBLISHABLE_KEY && values.STRIPE_WEBHOOK_SECRET
        ? {
            secretKey: values.STRIPE_SECRET_KEY,
            publishableKey: values.STRIPE_PUBLISHABLE_KEY,
            webhookSecrets: values.STRIPE_WEBHOOK_SECRET.split(/[\s,]+/).filter(Boolean),
          }
        : null,
    sandboxControl: values.SANDBOX_CONTROL === '1',
    livePages: values.LIVE_PAGES === '1' && !production,
    rateLimits: values.RATE_LIMITS === 'on',
    trustedProxies: values.TRUSTED_PROXIES,
    seed: values.SEED,
    logLevel: values.LOG_LEVEL,
  };
}

/** The origins from which pages of this shop come: `ORIGIN`, or this machine on the port. */
export const trustedOrigins = (config: Pick<Config, 'origin' | 'port'>): string[] =>
  config.origin ? [config.origin] : [`http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`];

type Values = z.output<typeof environment>;

function together(values: Values, a: keyof Values, b: keyof Values): string[] {
  return Boolean(values[a]) === Boolean(values[b]) ? [] : [`${a} and ${b} must be set together.`];
}

function stripeMistakes(values: Values): string[] {
  const {
    STRIPE_SECRET_KEY: secret,
    STRIPE_PUBLISHABLE_KEY: publishable,
    STRIPE_WEBHOOK_SECRET: webhook,
  } = values;
  if (!secret && !publishable && !webhook) return [];
  if (!secret || !publishable || !webhook) {
    return ['STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set together.'];
  }
  if (values.PAYMENTS === 'sandbox') return ['PAYMENTS=sandbox and STRIPE_SECRET_KEY exclude each other.'];
  if (secret.includes('_live_') !== publishable.includes('_live_')) {
    return ['STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys.'];
  }
  return [];
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
}

const isLoopback = (value: string) => /^(localhost|127\.[0-9.]+|\[::1\])$/.test(new URL(value).hostname);
