import type { MailWords } from './mail-words.ts';

/** @param origin of the shop, without a trailing slash */
export const webhookOffWords = (origin: string): MailWords => ({
  subject: 'A webhook is switched off',
  preview: 'Its receiver took no event for five days, or asked for an end.',
  about: 'Connections',
  title: 'A webhook is switched off',
  paragraphs: [
    ['Its receiver took no event for five days, or answered that the address is gone (410).'],
    ['Events are kept for 30 days: once it is switched on again, it gets them all, in order.'],
  ],
  action: { label: 'Connections', url: `${origin}/dashboard/connections` },
  facts: [],
  footnote: { text: 'All administrators get this mail.' },
});
