import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { mailsLocalLinks } from './mail.ts';

const smtp = {
  SMTP_URL: 'smtps://shop:secret@mail.example:465',
  MAIL_FROM: 'Parts Forge <shop@example.com>',
};

test('a shop without a mail server neither mails nor requires verified addresses', () => {
  expect(readConfig({})).toMatchObject({ smtp: null, requireVerifiedEmail: false });
});

test('a mail server and a sender require each other', () => {
  expect(readConfig({ ...smtp, REQUIRE_VERIFIED_EMAIL: 'on' })).toMatchObject({
    smtp: { url: smtp.SMTP_URL, from: { name: 'Parts Forge', address: 'shop@example.com' } },
    requireVerifiedEmail: true,
  });
  expect(readConfig({ ...smtp, MAIL_FROM: 'shop@example.com' }).smtp?.from).toEqual({
    name: '',
    address: 'shop@example.com',
  });
});

test('Firebase verifies addresses without a mail server of the shop', () => {
  const firebase = {
    FIREBASE_PROJECT_ID: 'parts-forge-1',
    FIREBASE_API_KEY: 'a-public-key-of-parts-forge',
    FIREBASE_AUTH_DOMAIN: 'parts-forge-1.firebaseapp.com',
  };
  expect(readConfig({ ...firebase, REQUIRE_VERIFIED_EMAIL: 'on' })).toMatchObject({
    smtp: null,
    requireVerifiedEmail: true,
  });
});

test('mails with localhost links are noticed when they leave this machine', () => {
  expect(mailsLocalLinks(readConfig(smtp))).toBe(true);
  expect(mailsLocalLinks(readConfig({ ...smtp, ORIGIN: 'https://parts.example', PAYMENTS: 'sandbox' }))).toBe(
    false,
  );
  expect(mailsLocalLinks(readConfig({ ...smtp, SMTP_URL: 'smtp://localhost:1025' }))).toBe(false);
  expect(mailsLocalLinks(readConfig({}))).toBe(false);
});

test.each([
  [{ SMTP_URL: smtp.SMTP_URL }, 'SMTP_URL and MAIL_FROM must be set together.'],
  [{ MAIL_FROM: smtp.MAIL_FROM }, 'SMTP_URL and MAIL_FROM must be set together.'],
  [{ ...smtp, SMTP_URL: 'https://mail.example' }, 'SMTP_URL must be an address'],
  [{ ...smtp, SMTP_URL: 'mail.example' }, 'SMTP_URL must be an address'],
  [{ ...smtp, SMTP_URL: 'smtp://shop:p@ss/w:rd@mail.example' }, 'percent-encoded'],
  [{ ...smtp, SMTP_URL: 'smtp://shop:12#word@mail.example' }, 'percent-encoded'],
  [{ ...smtp, SMTP_URL: 'smtp://shop:50%off@mail.example' }, 'percent-encoded'],
  [{ ...smtp, MAIL_FROM: 'Parts Forge' }, 'MAIL_FROM must be an email address'],
  [{ ...smtp, MAIL_FROM: 'Parts\nBcc: all <shop@example.com>' }, 'MAIL_FROM must be an email address'],
  [{ REQUIRE_VERIFIED_EMAIL: 'on' }, 'REQUIRE_VERIFIED_EMAIL=on needs SMTP_URL'],
  [{ ...smtp, REQUIRE_VERIFIED_EMAIL: 'yes' }, 'REQUIRE_VERIFIED_EMAIL must be one of on, off.'],
])('settings that cannot work are refused: %o', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
});
