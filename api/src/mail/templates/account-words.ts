import type { MailWords } from './mail-words.ts';

/**
 * Omits the name: someone could register a foreign address to mail it a text.
 * @param link carries the secret; proves the address together with the password
 */
export const addressVerificationWords = (link: string, shopName: string): MailWords => ({
  subject: 'Confirm your email address',
  preview: 'One press, and your address is confirmed.',
  about: 'Your account',
  title: 'Confirm your email address',
  paragraphs: [
    [`Somebody created a ${shopName} account with this address.`],
    ['If that was you, confirm it while you are logged in. The link works for a day.'],
  ],
  action: { label: 'Confirm the address', url: link },
  facts: [],
  footnote: {
    text: 'If it was not you, ignore this mail: without your answer the address stays unconfirmed.',
  },
});

/** @param link carries the secret; its holder can set the password */
export const passwordResetWords = (name: string, link: string, shopName: string): MailWords => ({
  subject: 'Set a new password',
  preview: 'The link works once, for an hour.',
  about: 'Your account',
  title: 'Set a new password',
  paragraphs: [
    [`Hello ${name}, somebody asked for a new password for your ${shopName} account.`],
    ['The link works once, for an hour. The new password ends all earlier sign-ins.'],
  ],
  action: { label: 'Set a new password', url: link },
  facts: [],
  footnote: { text: 'If it was not you, ignore this mail: your password stays as it is.' },
});
