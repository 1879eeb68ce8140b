import path from 'node:path';
import { MIN_ADMIN_PASSWORD } from '@parts-forge/contract/bounds';
import { SECOND_FACTOR_RULES } from '@parts-forge/contract/identity';
import * as z from 'zod/mini';
import { StartError } from './start-error.ts';

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
  identitySecret: string | null;
  /** Origins of other front ends that may make the calls. */
  allowedOrigins: string[];
  /** Null: the card sandbox. */
  stripe: {
    secretKey: string;
    publishableKey: string;
    webhookSecrets: string[];
    /** The origin of a server that speaks Stripe's protocol; null: Stripe's own. */
    apiUrl: string | null;
  } | null;
  /** How long an unpaid order is held, in milliseconds; null: for ever. */
  holdMs: number | null;
  /** Unpaid orders that one account may have; null: any number. */
  maxUnpaidOrders: number | null;
  /** Opens the sandbox's control endpoint, for tests; never in production. */
  sandboxControl: boolean;
  /** Pages straight from their sources instead of the build, for development; never in production. */
  livePages: boolean;
  rateLimits: boolean;
  /** The most common passwords are refused to customers too. */
  refuseCommonPasswords: boolean;
  /** Whether administration is closed to administrators who signed in without a second factor. */
  adminSecondFactor: (typeof SECOND_FACTOR_RULES)[number];
  /** Hops of trusted proxies before this server, 0 for none. */
  trustedProxies: number;
  seed: 'demo' | 'none';
  /** Bound of one statement; set-up work is exempt. */
  statementTimeoutMs: number;
  /** Bound of the wait for a connection to the database, a free one or a new one. */
  connectionTimeoutMs: number;
  /** Bound of a whole request, whatever it waits for. */
  requestTimeoutMs: number;
  /** What whoever reads `/metrics` must show; null: there is no such address. */
  metricsToken: string | null;
  /** Within which the head of a request must be there, from the connection's or the last answer's end on. */
  headersTimeoutMs: number;
  /** Within which the body must be there, from the head on; uploads have a minute. */
  bodyTimeoutMs: number;
  /** Within which an answer must be taken, from its beginning on. */
  responseTimeoutMs: number;
  /** Connections in all; the last fifth is for addresses that have few. */
  maxConnections: number;
  /** Connections of one address, or of one network /64 of IPv6; null: any number, as they are the proxy's. */
  maxConnectionsPerAddress: number | null;
  /** Bound of the making of one picture. */
  pictureTimeoutMs: number;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

/** Everything that is wrong with the settings, a sentence each. */
export class ConfigError extends StartError {
  readonly sentences: readonly string[];
  constructor(sentences: readonly string[]) {
    super(['The settings are wrong:', ...sentences].join('\n- '));
    this.sentences = sentences;
  }
}

// The messages go on from the setting's name: "PORT must be …".
const matching = (pattern: RegExp, message: string) => z.string().check(z.regex(pattern, message));
const atLeast = (characters: number) =>
  z.string().check(z.minLength(characters, `must be ${characters} characters or longer.`));
const choice = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}.`);
const MAX_PAYMENT_HOURS = 8760;
const MIN_METRICS_TOKEN = 16;
const notHours = `must be a number of hours from 0 to ${MAX_PAYMENT_HOURS}, such as 72 or 0.5.`;
const hours = z.pipe(
  matching(/^[0-9]{1,4}(\.[0-9]{1,6})?$/, notHours),
  z.pipe(z.transform(Number), z.number().check(z.lte(MAX_PAYMENT_HOURS, notHours))),
);
const origin = z.string().check(z.refine(isOrigin, 'must be an origin such as https://shop.example.'));

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}.`;
  return z.pipe(
    matching(/^[0-9]{1,6}$/, message),
    z.pipe(z.transform(Number), z.number().check(z.gte(min, message), z.lte(max, message))),
  );
}

const milliseconds = () => wholeNumber(100, 600_000);

/** @param sentence what it is for, as README.md and .env.example tell it; a test holds both against these */
const setting = <Schema extends z.ZodMiniType>(sentence: string, schema: Schema): Schema =>
  schema.check(z.describe(sentence));

/** The settings for people who run the shop. */
export const settings = z.object({
  PORT: setting('TCP port to listen on; `0` takes any free one.', z._default(wholeNumber(0, 65_535), 3000)),
  HOST: setting(
    'Address to listen on; `0.0.0.0` listens on every network of the machine.',
    z._default(z.string(), '127.0.0.1'),
  ),
  ORIGIN: setting(
    'Public origin such as `https://shop.example`, for canonical links and trusted sign-in; without it localhost and 127.0.0.1 on the port are trusted.',
    z.optional(origin),
  ),
  DATA_DIR: setting('Folder of the embedded database and of the pictures.', z._default(z.string(), './data')),
  DATABASE_URL: setting(
    'Address of a PostgreSQL of your own, 15 or newer, in place of the embedded one.',
    z.optional(matching(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://.')),
  ),
  ADMIN_EMAIL: setting(
    'Email of the first administrator, together with `ADMIN_PASSWORD`; without them an administrator is made up and printed once.',
    z.optional(matching(/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/, 'must be an email address.')),
  ),
  ADMIN_PASSWORD: setting(
    `Password of the first administrator, ${MIN_ADMIN_PASSWORD} characters or longer.`,
    z.optional(atLeast(MIN_ADMIN_PASSWORD)),
  ),
  SEED: setting(
    '`demo` fills an empty shop with the demonstration, `none` leaves it empty.',
    z._default(choice(['demo', 'none']), 'demo'),
  ),
  STRIPE_SECRET_KEY: setting(
    'Secret or restricted key of Stripe; `STRIPE_PUBLISHABLE_KEY` and `STRIPE_WEBHOOK_SECRET` go with it, and without them the card sandbox takes the payments.',
    z.optional(
      matching(/^[sr]k_(test|live)_\w+$/, 'must begin with sk_test_, sk_live_, rk_test_ or rk_live_.'),
    ),
  ),
  STRIPE_PUBLISHABLE_KEY: setting(
    'Publishable key of the same Stripe account, test or live like the secret one.',
    z.optional(matching(/^pk_(test|live)_\w+$/, 'must begin with pk_test_ or pk_live_.')),
  ),
  STRIPE_WEBHOOK_SECRET: setting(
    'Signing secret of the webhook; two, separated by a comma, while it is being changed.',
    z.optional(
      z
        .string()
        .check(
          z.refine(isListOfSecrets, 'must begin with whsec_; two such secrets are separated by a comma.'),
        ),
    ),
  ),
  STRIPE_API_URL: setting(
    "Origin of a server that speaks Stripe's protocol, for tests, in place of Stripe's own; refused with live keys.",
    z.optional(origin),
  ),
  PAYMENTS: setting(
    '`sandbox` allows the card sandbox, which moves no money, where others than this machine reach the shop: with a public `ORIGIN`, `HOST` or `ALLOWED_ORIGINS`.',
    z.optional(choice(['sandbox'])),
  ),
  PAYMENT_HOURS: setting(
    'Hours for which an unpaid order is held before it expires and its pieces return, decimals allowed; `0` holds it for ever.',
    z._default(hours, 72),
  ),
  UNPAID_ORDERS: setting(
    'Unpaid orders that one account may have at a time; `0` for any number, as with `RATE_LIMITS=off`.',
    z._default(wholeNumber(0, 10_000), 50),
  ),
  IDENTITY_SECRET: setting(
    'Secret of the identity service, 32 characters or longer; without it one is made once and stored in the database.',
    z.optional(atLeast(32)),
  ),
  COMMON_PASSWORDS: setting(
    '`refuse` refuses the 10,000 most common passwords to customers too, not to administrators alone.',
    z._default(choice(['allow', 'refuse']), 'allow'),
  ),
  ADMIN_SECOND_FACTOR: setting(
    '`required` closes administration to whoever signed in without a second factor; `optional` lets each administrator choose.',
    z._default(choice(SECOND_FACTOR_RULES), 'optional'),
  ),
  ALLOWED_ORIGINS: setting(
    'Other origins whose pages may make the calls, separated by commas.',
    z.optional(z.string()),
  ),
  TRUSTED_PROXIES: setting(
    'Hops of proxies in front whose `X-Forwarded-For` is believed.',
    z._default(wholeNumber(0, 10), 0),
  ),
  RATE_LIMITS: setting(
    '`off` switches off every limit on rates but the throttle on wrong passwords.',
    z._default(choice(['on', 'off']), 'on'),
  ),
  LOG_LEVEL: setting(
    'How much is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    z._default(choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  ),
  METRICS_TOKEN: setting(
    `Token for reading the figures at \`/metrics\`, sent as \`Authorization: Bearer …\`, ${MIN_METRICS_TOKEN} characters or longer; without it there is no such address.`,
    z.optional(
      matching(
        new RegExp(`^[A-Za-z0-9._~+/-]{${MIN_METRICS_TOKEN},}=*$`),
        `must be ${MIN_METRICS_TOKEN} characters or longer, of letters, digits and - . _ ~ + /.`,
      ),
    ),
  ),
  STATEMENT_TIMEOUT_MS: setting(
    'Milliseconds that one statement of the database may take; migrations are exempt.',
    z._default(milliseconds(), 5000),
  ),
  CONNECTION_TIMEOUT_MS: setting(
    'Milliseconds that a request waits for a connection to the database.',
    z._default(milliseconds(), 3000),
  ),
  REQUEST_TIMEOUT_MS: setting(
    'Milliseconds after which a request is answered 503, whatever it waits for; uploads may take a minute.',
    z._default(milliseconds(), 18_000),
  ),
  HEADERS_TIMEOUT_MS: setting(
    'Milliseconds in which the head of a request must arrive; a connection without one is closed.',
    z._default(milliseconds(), 10_000),
  ),
  BODY_TIMEOUT_MS: setting(
    'Milliseconds in which the body of a request must follow its head; uploads may take a minute.',
    z._default(milliseconds(), 20_000),
  ),
  RESPONSE_TIMEOUT_MS: setting(
    'Milliseconds in which an answer must be taken; the connection of a slower reader is cut.',
    z._default(milliseconds(), 60_000),
  ),
  MAX_CONNECTIONS: setting(
    'Connections at a time; the last fifth is for addresses that have few.',
    z._default(wholeNumber(10, 100_000), 5000),
  ),
  MAX_CONNECTIONS_PER_ADDRESS: setting(
    "Connections of one address (IPv6: of one /64) at a time; without effect with `TRUSTED_PROXIES`, where every connection is the proxy's, which has to bound them itself.",
    z._default(wholeNumber(1, 100_000), 1000),
  ),
  PICTURE_TIMEOUT_MS: setting(
    'Milliseconds that the making of one uploaded picture may take.',
    z._default(milliseconds(), 10_000),
  ),
});

/** What the project's own commands set; nobody who runs the shop needs them, so no document lists them. */
const switches = z.object({
  NODE_ENV: z.optional(z.string()),
  LIVE_PAGES: z.optional(choice(['0', '1'])),
  SANDBOX_CONTROL: z.optional(choice(['0', '1'])),
});

const environment = z.object({ ...settings.shape, ...switches.shape });
type Values = z.output<typeof environment>;

/**
 * Reads the settings. An empty value counts as absent.
 * @throws ConfigError with everything that is wrong, not only the first
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const values = parse(env);
  const mistakes = [
    ...originMistakes(values),
    ...stripeMistakes(values),
    ...administratorMistakes(values),
    ...sandboxMistakes(values),
  ];
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const production = isProduction(values);
  return {
    production,
    port: values.PORT,
    host: values.HOST,
    origin: values.ORIGIN ?? null,
    dataDir: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    adminEmail: values.ADMIN_EMAIL ?? null,
    adminPassword: values.ADMIN_PASSWORD ?? null,
    identitySecret: values.IDENTITY_SECRET ?? null,
    allowedOrigins: splitList(values.ALLOWED_ORIGINS),
    stripe: readStripe(values),
    holdMs: values.PAYMENT_HOURS === 0 ? null : values.PAYMENT_HOURS * 3_600_000,
    maxUnpaidOrders: values.RATE_LIMITS === 'on' && values.UNPAID_ORDERS > 0 ? values.UNPAID_ORDERS : null,
    sandboxControl: values.SANDBOX_CONTROL === '1',
    livePages: values.LIVE_PAGES === '1' && !production,
    rateLimits: values.RATE_LIMITS === 'on',
    refuseCommonPasswords: values.COMMON_PASSWORDS === 'refuse',
    adminSecondFactor: values.ADMIN_SECOND_FACTOR,
    trustedProxies: values.TRUSTED_PROXIES,
    seed: values.SEED,
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN ?? null,
    statementTimeoutMs: values.STATEMENT_TIMEOUT_MS,
    connectionTimeoutMs: values.CONNECTION_TIMEOUT_MS,
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
    headersTimeoutMs: values.HEADERS_TIMEOUT_MS,
    bodyTimeoutMs: values.BODY_TIMEOUT_MS,
    responseTimeoutMs: values.RESPONSE_TIMEOUT_MS,
    maxConnections: values.MAX_CONNECTIONS,
    maxConnectionsPerAddress: values.TRUSTED_PROXIES > 0 ? null : values.MAX_CONNECTIONS_PER_ADDRESS,
    pictureTimeoutMs: values.PICTURE_TIMEOUT_MS,
  };
}

/** The origins from which pages of this shop come: `ORIGIN`, or this machine on the port. */
export const trustedOrigins = (config: Pick<Config, 'origin' | 'port'>): string[] =>
  config.origin ? [config.origin] : [`http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`];

/** Whether strangers reach the shop by https. */
export const isPublicHttps = ({ origin }: Pick<Config, 'origin'>): boolean =>
  origin?.startsWith('https:') === true && !isLoopback(origin);

/** Each setting by itself. @throws ConfigError */
function parse(env: NodeJS.ProcessEnv): Values {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map(({ path: [name], message }) => `${String(name)} ${message}`));
}

const isProduction = ({ NODE_ENV }: Values) => NODE_ENV === 'production';
const splitList = (text = '') => text.split(/[\s,]/).filter(Boolean);

function readStripe(values: Values): Config['stripe'] {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  } = values;
  if (!secretKey || !publishableKey || !webhookSecret) return null;
  const apiUrl = values.STRIPE_API_URL ?? null;
  return { secretKey, publishableKey, webhookSecrets: splitList(webhookSecret), apiUrl };
}

function originMistakes(values: Values): string[] {
  return splitList(values.ALLOWED_ORIGINS)
    .filter((value) => !isOrigin(value))
    .map((value) => `ALLOWED_ORIGINS: ${value} is not an origin.`);
}

function administratorMistakes({ ADMIN_EMAIL, ADMIN_PASSWORD }: Values): string[] {
  const isComplete = (ADMIN_EMAIL === undefined) === (ADMIN_PASSWORD === undefined);
  return isComplete ? [] : ['ADMIN_EMAIL and ADMIN_PASSWORD must be set together.'];
}

function stripeMistakes(values: Values): string[] {
  const {
    STRIPE_SECRET_KEY: secret,
    STRIPE_PUBLISHABLE_KEY: publishable,
    STRIPE_WEBHOOK_SECRET: webhook,
  } = values;
  if (!secret && !publishable && !webhook) {
    return values.STRIPE_API_URL
      ? ['STRIPE_API_URL needs the keys of that server, STRIPE_SECRET_KEY first.']
      : [];
  }
  if (!secret || !publishable || !webhook) {
    return ['STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set together.'];
  }
  if (values.PAYMENTS === 'sandbox') return ['PAYMENTS=sandbox and STRIPE_SECRET_KEY exclude each other.'];
  if (secret.includes('_live_') !== publishable.includes('_live_')) {
    return ['STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys.'];
  }
  if (values.STRIPE_API_URL && secret.includes('_live_')) {
    return ['STRIPE_API_URL must not be set with live keys, as they would be given to that server.'];
  }
  return [];
}

/** The sandbox must neither be controllable in production nor be taken for a shop that earns money. */
function sandboxMistakes(values: Values): string[] {
  const mistakes: string[] = [];
  if (values.SANDBOX_CONTROL === '1' && isProduction(values)) {
    mistakes.push('SANDBOX_CONTROL must not be set in production.');
  }
  const publicSetting = findPublicSetting(values);
  if (publicSetting && !values.STRIPE_SECRET_KEY && values.PAYMENTS !== 'sandbox') {
    mistakes.push(
      `A public shop (${publicSetting}) needs STRIPE_SECRET_KEY; set PAYMENTS=sandbox to run it with the card sandbox, which moves no money.`,
    );
  }
  return mistakes;
}

/** The setting by which others than this machine reach the shop; null when none does. */
function findPublicSetting({ ORIGIN, HOST, ALLOWED_ORIGINS }: Values): string | null {
  if (ORIGIN !== undefined && !isLoopback(ORIGIN)) return 'ORIGIN';
  if (!isLoopbackHost(HOST)) return 'HOST';
  const isPublic = splitList(ALLOWED_ORIGINS).some((value) => isOrigin(value) && !isLoopback(value));
  return isPublic ? 'ALLOWED_ORIGINS' : null;
}

/** How cards are charged, in a line for whoever starts the shop. */
export function describePayments({ stripe, origin }: Pick<Config, 'stripe' | 'origin'>): string {
  if (!stripe) return 'Payments: the card sandbox, which takes test cards and moves no money.';
  const server = stripe.apiUrl ? `the server at ${stripe.apiUrl} in place of Stripe` : 'Stripe';
  if (stripe.secretKey.includes('_live_')) return `Payments: ${server} with live keys; money moves.`;
  const warning = origin && !isLoopback(origin) ? ` Warning: ${origin} is public and earns nothing.` : '';
  return `Payments: ${server} with test keys, which move no money.${warning}`;
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.origin === value;
}

const isLoopback = (value: string) => isLoopbackHost(new URL(value).hostname);
const isLoopbackHost = (host: string) => /^(localhost|127\.[0-9.]+|\[?::1\]?)$/.test(host);

/** One secret of a webhook, or several of which one is being taken out of use. */
function isListOfSecrets(value: string): boolean {
  const secrets = splitList(value);
  return secrets.length > 0 && secrets.every((secret) => /^whsec_[\w+/=-]+$/.test(secret));
}
