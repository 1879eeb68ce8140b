import * as z from 'zod/mini';
import {
  findPublicSetting,
  isLoopback,
  isLoopbackHost,
  isProduction,
  type ServerConfig,
  server,
} from './server.ts';
import {
  choice,
  crossCheck,
  matching,
  originText,
  type SettingsGroup,
  secret,
  setting,
  splitList,
  type Values,
} from './setting.ts';

export interface StripeAccount {
  secretKey: string;
  publishableKey: string;
  webhookSecrets: string[];
  /** Null asks Stripe itself. */
  apiUrl: string | null;
}

const MAX_PAYMENT_HOURS = 8760;
const notHours = `must be a number of hours from 0 to ${MAX_PAYMENT_HOURS}, such as 72 or 0.5.`;
const hours = z.pipe(
  matching(/^[0-9]{1,4}(\.[0-9]{1,6})?$/, notHours),
  z.pipe(z.transform(Number), z.number().check(z.lte(MAX_PAYMENT_HOURS, notHours))),
);
const webhookSecrets = z
  .string()
  .check(z.refine(isListOfSecrets, 'must begin with whsec_; two such secrets are separated by a comma.'));

const settings = {
  STRIPE_SECRET_KEY: secret(
    'Secret or restricted key of Stripe. Requires `STRIPE_PUBLISHABLE_KEY` and `STRIPE_WEBHOOK_SECRET`. Without them the card sandbox takes the payments.',
    z.optional(
      matching(/^[sr]k_(test|live)_\w+$/, 'must begin with sk_test_, sk_live_, rk_test_ or rk_live_.'),
    ),
  ),
  STRIPE_PUBLISHABLE_KEY: setting(
    'Publishable key of the same Stripe account, test or live like the secret one.',
    z.optional(matching(/^pk_(test|live)_\w+$/, 'must begin with pk_test_ or pk_live_.')),
  ),
  STRIPE_WEBHOOK_SECRET: secret(
    'Signing secret of the webhook. During a rotation set both, separated by a comma.',
    z.optional(webhookSecrets),
  ),
  STRIPE_API_URL: setting(
    "Origin of a stand-in for Stripe's API, for tests; refused with live keys.",
    z.optional(originText()),
  ),
  PAYMENTS: setting(
    '`sandbox` allows the card sandbox, which moves no money, on a shop that other machines can reach: one with a public `ORIGIN`, `HOST` or `ALLOWED_ORIGINS`, or with `TRUSTED_PROXIES`.',
    z.optional(choice(['sandbox'])),
  ),
  PAYMENT_HOURS: setting(
    'Hours until an unpaid order expires and its pieces return to stock; decimals are allowed, `0` means never.',
    z._default(hours, 72),
  ),
};

const switches = { SANDBOX_CONTROL: z.optional(choice(['0', '1'])) };

const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL, PAYMENTS } =
  settings;
const { ORIGIN, HOST, TRUSTED_PROXIES, ALLOWED_ORIGINS } = server.settings;
const stripe = { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL, PAYMENTS };

export const payments = {
  title: 'Payments',
  settings,
  switches,
  checks: [
    crossCheck(stripe, findStripeMistakes),
    // The sandbox must not be controllable in production, nor pass for a shop that earns money.
    crossCheck({ ...switches, HOST, NODE_ENV: server.switches.NODE_ENV }, (values) => {
      if (values.SANDBOX_CONTROL !== '1') return [];
      if (isProduction(values)) return ['SANDBOX_CONTROL must not be set in production.'];
      return isLoopbackHost(values.HOST)
        ? []
        : ['SANDBOX_CONTROL must not be set where HOST lets other machines in.'];
    }),
    crossCheck({ ORIGIN, HOST, TRUSTED_PROXIES, ALLOWED_ORIGINS, STRIPE_SECRET_KEY, PAYMENTS }, (values) => {
      const publicSetting = findPublicSetting(values);
      if (!publicSetting || values.STRIPE_SECRET_KEY || values.PAYMENTS === 'sandbox') return [];
      return [
        `A public shop (${publicSetting}) needs STRIPE_SECRET_KEY; set PAYMENTS=sandbox to run it with the card sandbox, which moves no money.`,
      ];
    }),
  ],
} satisfies SettingsGroup;

export const readPayments = (values: Values<typeof settings & typeof switches>) => ({
  /** Null: the card sandbox. */
  stripe: readStripe(values),
  /** How long unpaid orders stay; null for ever. */
  holdMs: values.PAYMENT_HOURS === 0 ? null : values.PAYMENT_HOURS * 3_600_000,
  /** For tests; never in production. */
  sandboxControl: values.SANDBOX_CONTROL === '1',
});

function readStripe(values: Values<typeof stripe>): StripeAccount | null {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  } = values;
  if (!secretKey || !publishableKey || !webhookSecret) return null;
  const apiUrl = values.STRIPE_API_URL ?? null;
  return { secretKey, publishableKey, webhookSecrets: splitList(webhookSecret), apiUrl };
}

function findStripeMistakes(values: Values<typeof stripe>): string[] {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  } = values;
  if (!secretKey && !publishableKey && !webhookSecret) {
    return values.STRIPE_API_URL
      ? ['STRIPE_API_URL needs the keys of that server, STRIPE_SECRET_KEY first.']
      : [];
  }
  if (!secretKey || !publishableKey || !webhookSecret) {
    return ['STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set together.'];
  }
  if (values.PAYMENTS === 'sandbox') return ['PAYMENTS=sandbox and STRIPE_SECRET_KEY exclude each other.'];
  if (secretKey.includes('_live_') !== publishableKey.includes('_live_')) {
    return ['STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys.'];
  }
  if (values.STRIPE_API_URL && secretKey.includes('_live_')) {
    return ['STRIPE_API_URL must not be set with live keys, as they would be given to that server.'];
  }
  return [];
}

export function describePayments(
  config: Pick<ReturnType<typeof readPayments> & ServerConfig, 'stripe' | 'origin' | 'publicBy'>,
): string {
  const { stripe: account } = config;
  if (!account) return 'Payments: the card sandbox, which takes test cards and moves no money.';
  const provider = account.apiUrl ? `the server at ${account.apiUrl} in place of Stripe` : 'Stripe';
  const mode = isLive(account) ? 'live keys; money moves.' : 'test keys, which move no money.';
  const risk = findPaymentRisk(config, account);
  return `Payments: ${provider} with ${mode}${risk ? ` Warning: ${risk}` : ''}`;
}

const isLive = ({ secretKey }: Pick<StripeAccount, 'secretKey'>) => secretKey.includes('_live_');

/** Finds settings that are allowed but suspicious. */
export function findPaymentRisk(
  { origin, publicBy }: Pick<ServerConfig, 'origin' | 'publicBy'>,
  account: StripeAccount,
): string | null {
  if (!isLive(account)) {
    if (publicBy === 'ORIGIN') return `${origin} is public and earns nothing.`;
    return publicBy ? `the shop is public (${publicBy}) and earns nothing.` : null;
  }
  return origin && !isLoopback(origin) && !origin.startsWith('https:')
    ? `${origin} is not https, so that anybody on the way can change the page on which cards are typed.`
    : null;
}

/** Several during a rotation. */
function isListOfSecrets(value: string): boolean {
  const parts = splitList(value);
  return parts.length > 0 && parts.every((part) => /^whsec_[\w+/=-]+$/.test(part));
}
