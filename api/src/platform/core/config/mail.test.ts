import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { mailsLocalLinks } from './mail.ts';

const smtp = {
  SMTP_URL: 'smtps://shop:secret@mail.example:465',
  MAIL_FROM: 'Parts Forge <shop@example.com>',
};

test('mails with localhost links are noticed when they leave this machine', () => {
  expect(mailsLocalLinks(readConfig(smtp))).toBe(true);
  expect(mailsLocalLinks(readConfig({ ...smtp, ORIGIN: 'https://parts.example', PAYMENTS: 'sandbox' }))).toBe(
    false,
  );
  expect(mailsLocalLinks(readConfig({ ...smtp, SMTP_URL: 'smtp://localhost:1025' }))).toBe(false);
  expect(mailsLocalLinks(readConfig({}))).toBe(false);
});
