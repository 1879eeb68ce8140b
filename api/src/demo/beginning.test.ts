import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { hasHistory } from './beginning.ts';

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

test.each<[string, Record<string, string>]>([
  ['as it is', {}],
  ['on its own machine', { ORIGIN: 'http://localhost:3000' }],
])('a demonstration %s has customers and orders', (_, env) => {
  expect(hasHistory(readConfig(env))).toBe(true);
});

test.each<[string, Record<string, string>]>([
  ['without a demonstration', { SEED: 'none' }],
  ['with the catalogue alone', { SEED: 'catalogue' }],
  ['that charges cards', stripe],
  ['that others reach by its origin', { ORIGIN: 'https://shop.example', PAYMENTS: 'sandbox' }],
  ['that others reach through a proxy', { TRUSTED_PROXIES: '1', PAYMENTS: 'sandbox' }],
  ['that others reach by its address', { HOST: '0.0.0.0', PAYMENTS: 'sandbox' }],
  ['that others use from their pages', { ALLOWED_ORIGINS: 'https://shop.example', PAYMENTS: 'sandbox' }],
  [
    'that sends mail',
    {
      SMTP_URL: 'smtp://mail.example',
      MAIL_FROM: 'Shop <shop@shop.example>',
      ORIGIN: 'http://localhost:3000',
    },
  ],
  [
    'that signs people in elsewhere',
    {
      FIREBASE_PROJECT_ID: 'parts-forge',
      FIREBASE_API_KEY: 'AIzaSyA-1234567890_abcdefghijklmnopqrst',
      FIREBASE_AUTH_DOMAIN: 'parts-forge.firebaseapp.com',
    },
  ],
])('a shop %s has no customers or orders', (_, env) => {
  expect(hasHistory(readConfig(env))).toBe(false);
});
