import { MAX_OPEN_QUOTES } from '@parts-forge/contract/calls/bounds';
import { toCents } from '@parts-forge/contract/money/money';
import { quantityRefusals } from '@parts-forge/contract/orders/quantity';
import type { NewQuote, QuoteAnswer } from '@parts-forge/contract/prices/quotes';
import { withdrawQuote as withdrawCall } from '@parts-forge/contract/prices/quotes';
import { addDays } from '@parts-forge/contract/text/days';
import { and, asc, eq, sql } from 'drizzle-orm';
import { writeMail, writeMails } from '#src/mail-outbox/write-mail.ts';
import { Problem, refuseInvalid } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { runOnce } from '#src/platform/database/run-once.ts';
import { type Administrator, actAs, type Customer, requireOwner } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProductsById } from '#src/products/store.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { NO_PART, NOTICE_DAYS, requireEndAhead } from './agreed-prices.ts';
import { readToday } from './own-prices.ts';
import { agreedPrices, quotes } from './schema.ts';

export type QuoteRow = typeof quotes.$inferSelect;
type Services = Pick<Platform, 'changes' | 'clock' | 'config' | 'ids'>;

/**
 * Idempotent by `key`.
 * @returns the id
 * @throws Problem `invalid`, `too-many-quotes`, `key-reused`
 */
export async function askForPrices(
  { changes, clock, ids }: Services,
  customer: Customer,
  { lines, note = '' }: NewQuote,
  key: string | undefined,
): Promise<string> {
  const { userId } = customer;
  const now = clock.now();
  const { id } = await actAs(changes, customer, async (tx, changed) => {
    const ask = async () => {
      await requireLines(tx, lines);
      const open = await tx.$count(quotes, and(eq(quotes.userId, userId), eq(quotes.state, 'asked')));
      if (open >= MAX_OPEN_QUOTES) throw new Problem('too-many-quotes');
      const row = { id: ids.next(), userId, lines: lines.map(toLine), note, createdAt: now };
      await tx.insert(quotes).values(row);
      const administrators = sql`select id, null, null, null::uuid[] from users
        where role = 'admin' and deleted_at is null`;
      await writeMails(tx, 'quote-asked', now, administrators, row.id);
      changed('mail');
      return { id: row.id };
    };
    if (key === undefined) return ask();
    return runOnce(tx, { userId, key, meaning: ['quote', lines, note], now }, ask);
  });
  return id;
}

const toLine = ({ productId, quantity, wished }: NewQuote['lines'][number]) => ({
  productId,
  quantity,
  ...(wished !== undefined && { wishedCents: toCents(wished) }),
});

/** Like lines of an order, but for the stock. @throws Problem `invalid` with all refused lines */
async function requireLines(tx: Executor, lines: NewQuote['lines']): Promise<void> {
  const ids = lines.map(({ productId }) => productId);
  const parts = await findProductsById(tx, ids);
  refuseInvalid(
    lines.flatMap(({ productId, quantity }, index) => {
      const path = `lines.${index}`;
      const { product, isDeleted = true } = parts.get(productId) ?? {};
      if (!product || isDeleted) return { path: `${path}.productId`, message: NO_PART };
      if (ids.indexOf(productId) < index) return { path: `${path}.productId`, message: 'Each part once' };
      return quantityRefusals(quantity, product)
        .filter(({ code }) => code !== 'above-stock')
        .slice(0, 1)
        .map(({ message }) => ({ path: `${path}.quantity`, message }));
    }),
  );
}

/** @throws Problem `not-found`, `quote-ended` */
export async function withdrawQuote({ changes, clock }: Services, customer: Customer, id: string) {
  await actAs(changes, customer, async (tx) => {
    const quote = await lockQuote(tx, id);
    requireOwner(withdrawCall, customer, quote.userId === customer.userId);
    requireOpen(quote);
    await endQuote(tx, id, { state: 'withdrawn', endedAt: clock.now(), endedBy: customer.userId });
  });
}

/** @throws Problem `not-found`, `quote-ended`, `invalid` */
export async function answerQuote(
  services: Services,
  administrator: Administrator,
  id: string,
  { lines, until, note: answerNote = '' }: QuoteAnswer,
): Promise<void> {
  const { clock, ids } = services;
  requireEndAhead(services, until);
  await conclude(services, administrator, id, async (tx, quote) => {
    await requireAsked(tx, quote, lines);
    const now = clock.now();
    const endKnown = until <= addDays(readToday(services), NOTICE_DAYS);
    await tx.insert(agreedPrices).values(
      lines.map(({ price, ...line }) => ({
        ...line,
        id: ids.next(),
        userId: quote.userId,
        priceCents: toCents(price),
        until,
        quoteId: quote.id,
        endKnown,
        createdAt: now,
      })),
    );
    return { state: 'answered', answerNote, until };
  });
}

/** @throws Problem `not-found`, `quote-ended` */
export const declineQuote = (
  services: Services,
  administrator: Administrator,
  id: string,
  answerNote = '',
): Promise<void> => conclude(services, administrator, id, async () => ({ state: 'declined', answerNote }));

type End = { state: 'answered' | 'declined' } & Pick<Partial<QuoteRow>, 'answerNote' | 'until'>;

/** By an administrator, who is the first. */
async function conclude(
  { changes, clock, ids }: Services,
  administrator: Administrator,
  id: string,
  decide: (tx: Executor, quote: QuoteRow) => Promise<End>,
): Promise<void> {
  await actAs(changes, administrator, async (tx, changed) => {
    const quote = await lockQuote(tx, id);
    requireOpen(quote);
    const now = clock.now();
    const end = await decide(tx, quote);
    await endQuote(tx, id, { ...end, endedAt: now, endedBy: administrator.userId });
    await writeMail(tx, { ids }, { kind: 'quote-answered', userId: quote.userId, quoteId: id, now });
    await writeEntry(tx, {
      id: ids.next(),
      now,
      event: `quote-${end.state}`,
      userId: quote.userId,
      after: { quote: quote.number, ...(end.until && { until: end.until }) },
    });
    changed('mail');
  });
}

/** @throws Problem `not-found` */
async function lockQuote(tx: Executor, id: string): Promise<QuoteRow> {
  const [quote] = await tx.select().from(quotes).where(eq(quotes.id, id)).for('update');
  if (!quote) throw new Problem('not-found');
  return quote;
}

/** @throws Problem `quote-ended` */
function requireOpen({ state }: QuoteRow): void {
  if (state !== 'asked') throw new Problem('quote-ended');
}

const endQuote = (tx: Executor, id: string, end: Partial<QuoteRow>) =>
  tx.update(quotes).set(end).where(eq(quotes.id, id));

/** @throws Problem `invalid` with all refused lines */
async function requireAsked(tx: Executor, quote: QuoteRow, lines: QuoteAnswer['lines']): Promise<void> {
  const asked = new Set(quote.lines.map(({ productId }) => productId));
  const parts = await findProductsById(tx, [...asked]);
  const keys = lines.map(({ productId, fromQuantity }) => `${productId} ${fromQuantity}`);
  refuseInvalid(
    lines.flatMap(({ productId }, index) => {
      if (!asked.has(productId)) {
        return { path: `lines.${index}.productId`, message: 'Nobody asked for this part' };
      }
      if (parts.get(productId)?.isDeleted) return { path: `lines.${index}.productId`, message: NO_PART };
      if (keys.indexOf(keys[index] ?? '') === index) return [];
      return { path: `lines.${index}.fromQuantity`, message: 'Each quantity of a part once' };
    }),
  );
}

/** With the customer's agreed prices. The quotes' locks wait for answers that write prices. */
export async function deletePrices(tx: Executor, userId: string): Promise<void> {
  const own = eq(quotes.userId, userId);
  await tx.select({ id: quotes.id }).from(quotes).where(own).orderBy(asc(quotes.id)).for('update');
  await tx.delete(agreedPrices).where(eq(agreedPrices.userId, userId));
  await tx.delete(quotes).where(own);
}
