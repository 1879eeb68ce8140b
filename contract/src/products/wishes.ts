import * as z from 'zod/mini';
import { MAX_WISHES } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { idParam } from '../text/text.ts';

/** The link's secret is in the fragment, hidden from servers and referrers. */
export const stopPagePath = '/stop-mails';

const params = z.object({ id: idParam });

export const readWish = defineCall({
  method: 'GET',
  path: '/product/:id/wish',
  tag: 'Products',
  policy: policies.readWish,
  summary: 'Whether one waits for a part',
  params,
  answer: z.object({ waiting: z.boolean() }),
});

export const addWish = defineCall({
  method: 'POST',
  path: '/product/:id/wish',
  tag: 'Products',
  policy: policies.addWish,
  summary: 'Ask for a mail when a part can be ordered again',
  description: `One mail, once its stock reaches the minimum order; then the wish is gone. Repeatable. Needs a confirmed address. A customer has at most ${MAX_WISHES}. 404 without a mail server (\`GET /config\`: \`wishes\`).`,
  params,
  answer: z.object({ waiting: z.boolean() }),
  problems: ['not-found', 'email-not-verified', 'can-be-ordered', 'too-many-wishes'],
});

export const removeWish = defineCall({
  method: 'DELETE',
  path: '/product/:id/wish',
  tag: 'Products',
  policy: policies.removeWish,
  summary: 'Wait for a part no longer',
  params,
  answer: z.object({ deletedCount: z.int() }),
});

export const countWishes = defineCall({
  method: 'GET',
  path: '/wish',
  tag: 'Products',
  policy: policies.countWishes,
  summary: 'How many customers wait for each part',
  description: 'The thousand parts with the most waiting customers, most first.',
  answer: z.object({ data: z.array(z.object({ product: z.string(), count: z.int() })) }),
});

export const stopWishes = defineCall({
  method: 'POST',
  path: '/wish/stop',
  tag: 'Products',
  policy: policies.stopWishes,
  summary: 'Wait for no part any longer',
  description:
    "With the secret of a mail's link, without signing in. Ends all wishes of the mail's reader. Repeatable; links do not expire.",
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(128)) }),
  answer: z.object({ deletedCount: z.int() }),
  rateLimit: { requests: 30, seconds: 60 },
  problems: ['dead-link'],
});
