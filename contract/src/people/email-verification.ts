import * as z from 'zod/mini';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { emailParam } from '../text/text.ts';

/** The link's secret is in the fragment, hidden from servers and referrers. */
export const verificationPagePath = '/verify-email';
/** @param origin without a trailing slash */
export const buildVerificationLink = (origin: string, token: string) =>
  `${origin}${verificationPagePath}#token=${token}`;

export const sendVerificationMail = defineCall({
  method: 'POST',
  path: '/user/:email/verification',
  tag: 'Users',
  policy: policies.sendVerificationMail,
  summary: 'Mail oneself a link that proves the address',
  description:
    'The link works for a day and ends the one before. An address gets one mail a minute, five a day: `mailed` says whether one went now, `nextInSeconds` when the next can. A `verified` address gets none. 404 with a hosted identity service.',
  params: z.object({ email: emailParam }),
  answer: z.object({ verified: z.boolean(), mailed: z.boolean(), nextInSeconds: z.int() }),
  rateLimit: { requests: 5, seconds: 300 },
  problems: ['not-yours', 'not-found'],
});

export const confirmEmail = defineCall({
  method: 'PUT',
  path: '/user/:email/verification',
  tag: 'Users',
  policy: policies.confirmEmail,
  summary: 'Prove the address with the secret of the link',
  description:
    'The link alone proves nothing: its user is signed in. `already`: proven before. Expired, replaced and foreign links are refused.',
  params: z.object({ email: emailParam }),
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(128)) }),
  answer: z.object({ verified: z.literal(true), already: z.boolean() }),
  rateLimit: { requests: 10, seconds: 60 },
  problems: ['not-yours', 'not-found', 'dead-link'],
});
