import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { stripeKeys } from '#test/settings.ts';
import { describePayments } from './payments.ts';

const live = { STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' };

test('one line at the start says how cards are charged', () => {
  const origin = { ORIGIN: 'https://shop.example' };
  const lines = [
    {},
    { ...stripeKeys },
    { ...stripeKeys, ...origin },
    { ...stripeKeys, HOST: '0.0.0.0' },
    { ...stripeKeys, TRUSTED_PROXIES: '1' },
    { ...stripeKeys, STRIPE_API_URL: 'http://127.0.0.1:12111' },
    { ...stripeKeys, ...live, ...origin },
    { ...stripeKeys, ...live, ORIGIN: 'http://shop.example' },
    { ...stripeKeys, ...live, ORIGIN: 'http://localhost:3000' },
  ].map((env) => describePayments(readConfig(env)));
  expect(lines).toEqual([
    'Payments: the card sandbox, which takes test cards and moves no money.',
    'Payments: Stripe with test keys, which move no money.',
    'Payments: Stripe with test keys, which move no money. Warning: https://shop.example is public and earns nothing.',
    'Payments: Stripe with test keys, which move no money. Warning: the shop is public (HOST) and earns nothing.',
    'Payments: Stripe with test keys, which move no money. Warning: the shop is public (TRUSTED_PROXIES) and earns nothing.',
    'Payments: the server at http://127.0.0.1:12111 in place of Stripe with test keys, which move no money.',
    'Payments: Stripe with live keys; money moves.',
    'Payments: Stripe with live keys; money moves. Warning: http://shop.example is not https, so that anybody on the way can change the page on which cards are typed.',
    'Payments: Stripe with live keys; money moves.',
  ]);
});
