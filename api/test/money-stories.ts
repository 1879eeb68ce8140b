import { countRefundable, type Order } from '@parts-forge/contract/orders/orders';
import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { checkConsistency } from '#src/consistency/check-consistency.ts';
import { findNotes } from '#src/invoices/store.ts';
import { mailOutbox } from '#src/mail-outbox/schema.ts';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import { ProviderError } from '#src/payments/provider/provider.ts';
import type { Answer } from './answer.ts';
import { type Person, readProduct, signedInAs } from './builders.ts';
import type { MovableClock } from './movable-clock.ts';
import { aPaidOrder, aPendingOrder } from './paid-orders.ts';
import { aDueOrder, confirmCard, controlSandbox, readCode, refundAtProvider } from './paying.ts';
import { pendingTogether } from './paying-several.ts';
import {
  beginWithoutEvents,
  listRefunds,
  reconcileLater,
  refreshPayment,
  withProvider,
} from './payment-provider.ts';
import type { TestShop } from './start-shop.ts';
import { readTrail } from './trail.ts';

/**
 * What happens to an order's money at the shop and at the provider, and what is seen then. A table has groups
 * of lines, each with its title after `#`:
 *
 * - The first line is the order: `due`, `paid unseen` (at the provider alone), `pending`, `accepted`, or
 *   `2 together`, paid at once. Alone it has 57 pieces for $1139.43 of a stock of 1000; of several the first,
 *   A, costs $50, B $100, and so on, each of 50 pieces.
 * - Every other line is a step, then the shop's answer to it, then facts that are seen after it:
 *   `refund 20 pieces back | 399.8 succeeded | stock 963`. Steps and facts of several orders name theirs:
 *   `refund B $10`, `order B pending`. An indented line goes on with the facts.
 */
function readStories(table: string): [title: string, lines: string[]][] {
  return table
    .trim()
    .split(/(?:^|\n+)# /)
    .filter((group) => group !== '')
    .map((group) => {
      const [title = '', ...lines] = group
        .trim()
        .replaceAll(/\n +\|/g, ' |')
        .split('\n');
      return [title, lines];
    });
}

/** A test for each group of a table. */
export const testStories = (shop: TestShop, clock: MovableClock, table: string) =>
  test.each(readStories(table))('%s', async (_title, lines) => {
    expect(await tellStory(shop, clock, lines)).toEqual(lines);
  });

/** The lines with what was really answered and seen. In the end the shop agrees with the provider. */
async function tellStory(shop: TestShop, clock: MovableClock, lines: readonly string[]) {
  const [begin = '', ...steps] = lines;
  const story = new Story(shop, clock, await beginWithoutEvents(shop));
  await story.begin(begin);
  const told: string[] = [begin];
  for (const line of steps) told.push(await story.tell(line));
  expect(await checkConsistency(shop.services)).toMatchObject({ stock: 0, payments: 0, provider: 0 });
  return told;
}

const dollars = (cents: number) => cents / 100;

class Story {
  private orders: Order[] = [];
  private customer!: Person;
  /** Of the payment. */
  private id = '';

  private readonly shop: TestShop;
  private readonly clock: MovableClock;
  private admin: Person;

  constructor(shop: TestShop, clock: MovableClock, admin: Person) {
    this.shop = shop;
    this.clock = clock;
    this.admin = admin;
  }

  async begin(line: string): Promise<void> {
    const count = /^(\d+) together$/.exec(line)?.[1];
    if (count) {
      Object.assign(this, await pendingTogether(this.shop, Number(count)));
    } else if (line === 'due' || line === 'paid unseen') {
      const { customer, order } = await aDueOrder(this.shop);
      Object.assign(this, { customer, orders: [order] });
      if (line === 'due') return;
      const { clientSecret, id } = await customer.opensPayment(order);
      await confirmCard(this.shop, clientSecret);
      this.id = id;
    } else {
      const { customer, order, id } = await (line === 'accepted'
        ? aPaidOrder(this.shop, this.admin)
        : aPendingOrder(this.shop));
      Object.assign(this, { customer, orders: [order], id });
    }
  }

  async tell(line: string): Promise<string> {
    const [step = '', ...cells] = line.split(' | ');
    const answer = await this.take(step);
    const told = [step];
    for (const cell of cells) {
      const [, fact = '', order] = /^([a-z]+)(?: ([A-C])\b)?/.exec(cell) ?? [];
      const look = this.facts[fact];
      told.push(look ? [fact, order ?? [], await look(this.find(order))].flat().join(' ') : answer);
    }
    return told.join(' | ');
  }

  private find(letter = 'A'): Order {
    const order = this.orders['ABC'.indexOf(letter)];
    if (!order) throw new Error(`There is no order ${letter}.`);
    return order;
  }

  private async take(text: string): Promise<string> {
    for (const [pattern, step] of this.steps) {
      const groups = pattern.exec(text)?.groups;
      if (groups) return describeAnswer((await step(groups)) as Answer | undefined);
    }
    throw new Error(`No step is written as "${text}".`);
  }

  /** What happens; the provider's refunds are named by their state and amount. */
  private readonly steps: [RegExp, (given: Record<string, string | undefined>) => Promise<unknown>][] = [
    [
      /^refund(?: (?<order>[A-C]))?(?: (?<pieces>\d+) pieces?)?(?: \$(?<amount>[\d.]+))?(?<back> back)?(?: for (?<reason>\w+))?(?<declined>, declined)?$/,
      ({ order, pieces, amount, back, reason, declined }) => {
        const body = {
          returnStock: back !== undefined,
          ...(pieces && { quantity: Number(pieces) }),
          ...(amount && { amount: Number(amount) }),
          ...(reason && { reason }),
        };
        const refund = () => this.admin.refunds(this.find(order), body);
        const createRefund = () => Promise.reject(new ProviderError('refused', 'The card was closed.', 'x'));
        return declined ? withProvider(this.shop, { createRefund }, refund) : refund();
      },
    ],
    [
      /^accept(?: (?<order>[A-C]))?(?<despite> despite)?(?: \$(?<refunded>[\d.]+))?$/,
      ({ order, despite, refunded }) =>
        this.admin.accepts(this.find(order), {
          ...(despite && { despite: 'partly-refunded' }),
          ...(refunded && { refunded: Number(refunded) }),
        }),
    ],
    [/^cancel(?<order>)$/, () => this.admin.cancels(this.find())],
    [/^open the payment(?<order>)$/, () => this.customer.asksToPay(this.find())],
    [/^record the payment(?<order>)$/, () => this.customer.records(this.find(), this.id)],
    [
      /^pay again(?<order>)$/,
      async () => {
        const { clientSecret, id } = await this.customer.opensPayment(this.find());
        await confirmCard(this.shop, clientSecret);
        return this.customer.records(this.find(), id);
      },
    ],
    [
      /^the provider refunds(?: \$(?<amount>[\d.]+))?$/,
      async ({ amount }) => {
        await refundAtProvider(this.shop, this.id, amount ? Math.round(Number(amount) * 100) : undefined);
      },
    ],
    [/^refunds will be (?<newRefunds>\w+)$/, ({ newRefunds }) => controlSandbox(this.shop, { newRefunds })],
    [
      /^the (?<was>\w+) refund of \$(?<amount>[\d.]+) becomes (?<status>\w+)$/,
      async ({ was, amount, status }) => {
        const made = await listRefunds(this.shop, this.id);
        const refund = made.find((one) => one.status === was && dollars(one.amount) === Number(amount));
        if (!refund) throw new Error(`The provider has no ${was} refund of $${amount}.`);
        await controlSandbox(this.shop, { finishRefund: { refund: refund.id, status } });
      },
    ],
    [
      /^the dispute is (?<status>\w+)(?<unmoved> without its money)?$/,
      ({ status, unmoved }) =>
        controlSandbox(this.shop, { dispute: { intent: this.id, status, moved: unmoved === undefined } }),
    ],
    [/^the shop looks(?<order>)$/, () => refreshPayment(this.shop, this.id)],
    [
      /^the shop reads events(?<order>)$/,
      async () => {
        await fetchEvents(this.shop.services);
      },
    ],
    [
      /^the job looks(?: (?<rounds>\d+) times)?$/,
      async ({ rounds = '1' }) => {
        for (let round = 0; round < Number(rounds); round += 1) await reconcileLater(this.shop, this.clock);
      },
    ],
    [
      /^an hour passes(?<order>)$/,
      async () => {
        this.clock.aheadMs += 3_600_000;
        // The clock outruns tokens.
        this.admin = await signedInAs(this.shop, 'admin');
      },
    ],
  ];

  private readonly facts: Record<string, (order: Order) => Promise<string | number>> = {
    order: async (order) => describeOrder(await this.admin.readsClosed(order)),
    stock: async ({ productId }) => (await readProduct(this.shop, productId)).quantity,
    /** Credited dollars × pieces of the line; debit notes are negative. */
    notes: async ({ _id }) => {
      const notes = await findNotes(this.shop.db, _id);
      return list(
        notes.map(({ series, totalCents, lines, lost }) => {
          const amount = dollars(series === 'credit-note' ? totalCents : -totalCents);
          return `${amount}${count(lines[0]?.quantity)}${lost ? ' lost' : ''}`;
        }),
      );
    },
    mails: async ({ _id }) => {
      const rows = await this.shop.db
        .select()
        .from(mailOutbox)
        .where(eq(mailOutbox.orderId, _id))
        .orderBy(asc(mailOutbox.id));
      return list(
        rows.flatMap(({ kind, amountCents }) => (kind === 'order-refunded' ? dollars(amountCents ?? 0) : [])),
      );
    },
    /** The entries about money, oldest first. */
    trail: (order) => this.readTrail(this.admin, order),
    /** The same as the customer sees it. */
    shown: (order) => this.readTrail(this.customer, order),
    /** Refunds at the provider. */
    provider: async () => {
      const made = await listRefunds(this.shop, this.id);
      const sorted = made.toSorted((a, b) => a.amount - b.amount || (a.status < b.status ? -1 : 1));
      return list(
        sorted.map(({ amount, status }) => dollars(amount) + (status === 'succeeded' ? '' : ` ${status}`)),
      );
    },
    /** What administrators see as money that came back. */
    returned: async ({ _id }) => {
      const { body } = await this.shop.request('/overview', { token: this.admin.token });
      const rows = body.returned as { _id: string; amount: number }[];
      return rows.find((row) => row._id === _id)?.amount ?? 'nothing';
    },
    /** What its page offers to refund. */
    left: async (order) => countRefundable(await this.admin.readsClosed(order)),
  };

  private async readTrail(reader: Person, { _id }: Order): Promise<string> {
    const entries = await readTrail(reader, _id);
    const money = entries.filter(({ event }) => /refund|disput/.test(event)).toReversed();
    return list(
      money.map(({ event, after }) => {
        const { amount, quantity, refund, unassigned, refundState, reason }: NonNullable<typeof after> =
          after ?? {};
        return [
          event,
          amount === undefined ? [] : `${amount}${count(quantity)}`,
          refund === undefined ? [] : `to ${refund}`,
          unassigned === undefined ? [] : `${unassigned} unassigned`,
          refundState ?? [],
          reason ?? [],
        ]
          .flat()
          .join(' ');
      }),
    );
  }
}

const list = (words: readonly (string | number)[]) => (words.length === 0 ? 'none' : words.join(', '));
const count = (pieces: unknown) => (pieces === undefined || pieces === null ? '' : `×${pieces}`);

function describeAnswer(answer: Answer | undefined): string {
  if (!answer) return '';
  const { status, body } = answer;
  if (status >= 400)
    return body.errors
      ? body.errors.map(({ message }: { message: string }) => message).join(' ')
      : readCode(answer);
  return body.refund ? `${body.refund.amount} ${body.refund.state}` : 'done';
}

function describeOrder({ closed, status, refund, returned, disputed, inquiry }: Order): string {
  const { amount, state, quantity, unassigned, failed, lost } = refund ?? {};
  const part = (value: unknown, word: string) => (value === undefined ? [] : `${value} ${word}`);
  return [
    closed ?? status,
    refund ? `${amount}${count(quantity)} ${state}` : [],
    part(unassigned, 'unassigned'),
    part(failed, 'failed'),
    part(lost, 'lost'),
    part(returned, 'returned'),
    disputed ? (inquiry ? 'asked' : 'disputed') : [],
  ]
    .flat()
    .join(', ');
}
