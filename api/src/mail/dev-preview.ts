import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { escapeHtml } from '#src/platform/core/escape-html.ts';
import { embedLogo } from './preview-mail.ts';
import { addressVerificationWords, passwordResetWords } from './templates/account-words.ts';
import { batchExpiringWords, batchPlacedWords } from './templates/batch-words.ts';
import type { MailWords } from './templates/mail-words.ts';
import {
  disputeLostWords,
  orderAcceptedWords,
  orderCancelledWords,
  orderExpiringWords,
  orderPlacedWords,
  orderRefundedWords,
  parcelSentWords,
  paymentReceivedWords,
} from './templates/order-words.ts';
import { renderHtml } from './templates/render-html.ts';
import { renderText } from './templates/render-text.ts';
import { backInStockWords, lowStockWords } from './templates/stock-words.ts';
import { webhookOffWords } from './templates/webhook-words.ts';

const origin = 'https://parts.example';
const order = {
  id: '01a201a6-8283-76e6-9919-9b4149729eb4',
  number: 10160,
  reference: 'PO-2026/17',
  productName: 'OLED display assembly 6.1 inch',
  quantity: 50,
  priceCents: 6450,
  totalCents: 322_500,
  name: 'Amara Okafor',
  address: '12 Oxford Street, Osu\nAccra, Ghana',
  heldUntil: new Date('2026-11-24T14:20:00Z'),
};

const second = { ...order, id: `${order.id}2`, number: 10161 };

const sample = { _id: order.id, name: order.productName, number: 'PF-D6101', price: 64.5 };
const part = { ...sample, quantity: 20, minimumOrder: 50 };

/** Every mail, with an invented order. */
const listSamples = (shopName: string): Record<string, MailWords> => ({
  'address-verification': addressVerificationWords(`${origin}/verify-email#token=sample`, shopName),
  'password-reset': passwordResetWords(order.name, `${origin}/reset-password#token=sample`, shopName),
  'order-placed': orderPlacedWords(order, origin),
  'order-placed-batch': batchPlacedWords([order, second], order.id, origin),
  'order-expiring-batch': batchExpiringWords([order, second], order.id, origin),
  'order-placed-for-ever': orderPlacedWords({ ...order, heldUntil: null }, origin),
  'payment-received': paymentReceivedWords(order, origin),
  'order-accepted': orderAcceptedWords(order, origin),
  'parcel-sent': parcelSentWords(
    order,
    { carrier: 'DHL', number: '00340434161094042557', quantity: 20 },
    origin,
  ),
  'order-cancelled': orderCancelledWords(order, origin),
  'order-refunded': orderRefundedWords(order, origin, 120_000),
  'dispute-lost': disputeLostWords(order, origin, 120_000),
  'order-expiring': orderExpiringWords(order, origin),
  'back-in-stock': backInStockWords(part, origin, `${origin}/stop-mails#token=sample`),
  'low-stock': lowStockWords(part, origin),
  'webhook-off': webhookOffWords(origin),
});

/** `/dev/mail`: previews, only in development. */
export function previewSamples(app: FastifyInstance, config: Pick<Config, 'seller' | 'shop'>): void {
  const samples = listSamples(config.shop.name);
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'";
  const list = Object.entries(samples)
    .map(
      ([kind, { subject }]) =>
        `<li><a href="/dev/mail/${kind}">${kind}</a> (<a href="/dev/mail/${kind}?text">text</a>): ${escapeHtml(subject)}</li>`,
    )
    .join('');
  app.get('/dev/mail', async (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .type('text/html')
      .send(`<!doctype html><title>Mail</title><ul>${list}</ul>`),
  );
  app.get<{ Params: { kind: string }; Querystring: { text?: string } }>(
    '/dev/mail/:kind',
    async ({ params: { kind }, query }, reply) => {
      const words = samples[kind];
      if (!words) return reply.callNotFound();
      reply.header('content-security-policy', policy);
      if (query.text !== undefined)
        return reply.type('text/plain; charset=utf-8').send(renderText(words, config.seller));
      return reply.type('text/html').send(renderHtml(words, config, await embedLogo(config)));
    },
  );
}
