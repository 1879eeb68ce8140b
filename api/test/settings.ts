import { ConfigError, readConfig } from '#src/platform/core/config.ts';

export type Env = Record<string, string>;

/** The sentences with which the settings are refused; none when they are taken. */
export function refusals(env: Env): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences;
    throw error;
  }
}

/** Settings of an account at Stripe that the shop takes. */
export const stripeKeys = {
  STRIPE_SECRET_KEY: 'sk_test_abc',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
};
