import { ConfigError, readConfig } from '#src/platform/core/config.ts';

export type Env = Record<string, string>;

/** None when valid. */
export function refusals(env: Env): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences;
    throw error;
  }
}

export const stripeKeys = {
  STRIPE_SECRET_KEY: 'sk_test_abc',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
};

export const firebaseKeys = {
  FIREBASE_PROJECT_ID: 'parts-forge-1',
  FIREBASE_API_KEY: 'AIzaSyA-1234567890_abcdefghijklmnopqrst',
  FIREBASE_AUTH_DOMAIN: 'parts-forge-1.firebaseapp.com',
};
