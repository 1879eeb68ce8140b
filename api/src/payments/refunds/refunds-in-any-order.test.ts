import type { RefundState } from '@parts-forge/contract/orders/order-states';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumCredited } from '#src/invoices/store.ts';
import { findTax } from '#src/invoices/tax.ts';
import { countReturned, type OrderMoney } from '#src/orders/order-money.ts';
import type { OrderRow } from '#src/orders/store.ts';
import type { ProviderDispute, ProviderPayment, ProviderRefund } from '#src/payments/provider/provider.ts';
import { untouchedMoney } from '#test/untouched-money.ts';
import { type NotedMoney, planNotes } from './plan-notes.ts';
import {
  countGone,
  countOwed,
  findOwnRefund,
  planRefund,
  resolveRefund,
  type ShopRefund,
  splitRefunds,
  summarizeMoney,
} from './refund-rules.ts';

const noTax = findTax(null, { tax: 'standard', taxReason: '' });

/**
 * One step in the life of a shared payment; `which` and `part` select among the orders and refunds of that
 * time.
 */
interface Step {
  does: 'ask' | 'follow' | 'refund by hand' | 'finish' | 'dispute';
  which: number;
  /** Of the rest; above 0.7 a request is for all of it. */
  part: number;
  /** How the provider answers or ends the refund. */
  outcome: RefundState | 'refused';
  /** An external refund that carries the metadata of one of the shop's. */
  isMarked: boolean;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    does: fc.constantFrom('ask', 'ask', 'follow', 'follow', 'refund by hand', 'finish', 'dispute'),
    which: fc.nat(11),
    part: fc.double({ min: 0.01, max: 1, noNaN: true }),
    outcome: fc.constantFrom('succeeded', 'pending', 'failed', 'refused'),
    isMarked: fc.boolean(),
  }),
  { maxLength: 40 },
);
const shares = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 6 });

type Row = ShopRefund & { note: string | null };
type Note = NotedMoney & { orderId: string };

/**
 * Models the shop's rows and the provider's objects of one payment. Each look reads the provider's current
 * state.
 */
class Model {
  orders: (OrderMoney & Pick<OrderRow, 'id' | 'totalCents' | 'closed'>)[];
  readonly paidCents: number;
  own: Row[] = [];
  made: ProviderRefund[] = [];
  dispute: ProviderDispute | null = null;
  notes: Note[] = [];
  /** Cents refunded externally when a refund was requested, as the administrator saw them. */
  seenCents = 0;

  constructor(totals: readonly number[]) {
    this.orders = totals.map((totalCents, index) => ({
      ...untouchedMoney,
      id: `order-${index}`,
      totalCents,
    }));
    this.paidCents = totals.reduce((sum, cents) => sum + cents, 0);
  }

  get payment(): ProviderPayment {
    return {
      id: 'pi_1',
      clientSecret: '',
      status: 'succeeded',
      amountCents: this.paidCents,
      receivedCents: this.paidCents,
      currency: 'usd',
      orderIds: this.orders.map(({ id }) => id),
      shop: 'shop',
      refundedCents: this.goneCents,
      chargedAt: null,
      disputed: this.dispute !== null,
      card: null,
    };
  }

  get claims() {
    return { refunds: this.made, disputes: this.dispute ? [this.dispute] : [] };
  }

  get goneCents(): number {
    return this.made.reduce((sum, { state, amountCents }) => sum + (state === 'failed' ? 0 : amountCents), 0);
  }

  get lostCents(): number {
    return this.dispute?.state === 'lost' ? this.dispute.amountCents : 0;
  }

  /** The provider keeps what a dispute is about. */
  get leftCents(): number {
    const keptCents = this.dispute && this.dispute.state !== 'won' ? this.dispute.amountCents : 0;
    return Math.max(0, this.paidCents - this.goneCents - keptCents);
  }

  get returnedCents(): number {
    return this.orders.reduce((sum, order) => sum + countReturned(order), 0);
  }

  get byHandCents(): number {
    const isByHand = ({ state, refundId }: ProviderRefund) => state !== 'failed' && refundId === null;
    return this.made.filter(isByHand).reduce((sum, { amountCents }) => sum + amountCents, 0);
  }

  get askedCents(): number {
    return this.own.reduce((sum, { amountCents }) => sum + amountCents, 0);
  }

  summarize() {
    const summarize = summarizeMoney(this.payment, this.own, this.claims, this.orders);
    return this.orders.map((order) => ({ ...order, ...summarize(order) }));
  }

  look(): void {
    const refunded = splitRefunds(this.payment, this.own, this.claims);
    this.own = this.own.map((row) => ({
      ...row,
      ...resolveRefund(row, this.payment, this.claims, refunded),
    }));
    this.orders = this.summarize().map(({ isGone, ...order }) => ({
      ...order,
      closed: isGone ? 'refunded' : order.closed,
    }));
    expect(this.returnedCents).toBeLessThanOrEqual(
      Math.max(0, this.paidCents - this.goneCents - this.lostCents),
    );
    this.issueNotes();
    this.expectBalance();
  }

  /** As `issueNotes` does: all notes of an order sum to what is settled. */
  issueNotes(): void {
    for (const order of this.orders) {
      const own = this.own.filter(({ orderId }) => orderId === order.id).toReversed();
      const refunds = own.map((row) => ({ ...row, quantity: null }));
      const noted = () => this.notes.filter(({ orderId }) => orderId === order.id);
      for (const { cents, refundId, lost } of planNotes(order, refunds, noted())) {
        const series = cents > 0 ? 'credit-note' : 'debit-note';
        this.notes.push({
          orderId: order.id,
          series,
          totalCents: Math.abs(cents),
          refundId,
          lost,
          tax: noTax,
        });
      }
      expect(sumCredited(noted())).toBe(order.settledCents);
    }
  }

  /** Reserves a refund as `refundOrder` does. */
  ask({ which, part }: Pick<Step, 'which' | 'part'>): void {
    this.look();
    if (this.dispute?.state === 'open') return;
    const order = this.orders[which % this.orders.length];
    const plan = order && planRefund(order, this.orders, this.own, this.paidCents);
    if (!plan || plan.amountCents <= 0) return;
    const { elsewhereCents } = plan;
    const amountCents = part > 0.7 ? plan.amountCents : Math.ceil(plan.amountCents * part);
    const id = `refund-${this.own.length}`;
    const row = { id, orderId: order.id, amountCents, elsewhereCents, providerId: null, note: null };
    this.own.push({ ...row, state: 'pending' });
    this.seenCents = Math.max(this.seenCents, elsewhereCents);
    this.look();
  }

  /** As `followRefund` does. The rest left for orders without a refund must stay enough for them. */
  follow({ which, outcome }: Pick<Step, 'which' | 'outcome'>): void {
    const row = this.own[which % Math.max(1, this.own.length)];
    if (!row) return;
    const latest = findOwnRefund(row, this.made);
    const isWanted = latest === null || (latest.state !== 'pending' && row.state === 'failed');
    const owedCents = countOwed(row, this.payment, splitRefunds(this.payment, this.own, this.claims));
    const isRefused = outcome === 'refused' || owedCents > this.leftCents;
    if (isWanted && owedCents > 0 && !isRefused) {
      this.make({ amountCents: owedCents, state: outcome, refundId: row.id });
      if (outcome !== 'failed') {
        expect(this.goneCents).toBeLessThanOrEqual(this.askedCents + this.seenCents);
      }
    } else if (isWanted && owedCents > 0) {
      this.own = this.own.map((each) => (each === row ? { ...row, state: 'failed' } : each));
    }
    this.look();
  }

  /** The provider refunds at most the rest. */
  refundByHand({ which, part, outcome, isMarked }: Step): void {
    const { leftCents } = this;
    const owner = isMarked ? this.own[which % Math.max(1, this.own.length)] : undefined;
    const isFree =
      owner !== undefined &&
      owner.amountCents <= leftCents &&
      (findOwnRefund(owner, this.made)?.state ?? 'failed') === 'failed';
    const amountCents = isFree ? owner.amountCents : Math.ceil(leftCents * part);
    if (amountCents === 0 || outcome === 'refused') return;
    this.make({ amountCents, state: outcome, refundId: isFree ? owner.id : null });
    this.look();
  }

  /** Lets a refund succeed or fail, also weeks after its success. */
  finish({ which, outcome }: Pick<Step, 'which' | 'outcome'>): void {
    const open = this.made.filter(({ state }) => state !== 'failed');
    const refund = open[which % Math.max(1, open.length)];
    if (!refund || outcome === 'refused' || outcome === 'pending') return;
    this.made = this.made.map((each) => (each === refund ? { ...refund, state: outcome } : each));
    this.look();
  }

  /** About the whole charge, also after refunds, or what is left; decided either way, in any order. */
  moveDispute({ which, part }: Pick<Step, 'which' | 'part'>): void {
    const state = (['open', 'won', 'lost'] as const)[which % 3] ?? 'open';
    const amountCents = this.dispute?.amountCents ?? (part > 0.5 ? this.paidCents : this.leftCents);
    if (amountCents === 0) return;
    this.dispute = { id: 'dp_1', amountCents, state };
    this.look();
  }

  private make(refund: Omit<ProviderRefund, 'id'>): void {
    this.made = [{ ...refund, id: `re_${this.made.length}` }, ...this.made];
    expect(this.goneCents + this.lostCents).toBeLessThanOrEqual(this.paidCents);
  }

  take(step: Step): void {
    if (step.does === 'ask') this.ask(step);
    else if (step.does === 'follow') this.follow(step);
    else if (step.does === 'finish') this.finish(step);
    else if (step.does === 'dispute') this.moveDispute(step);
    else this.refundByHand(step);
  }

  /** Ends all pending refunds and the dispute, then runs the job until nothing changes. */
  end(): void {
    if (this.dispute?.state === 'open') this.dispute = { ...this.dispute, state: 'lost' };
    this.made = this.made.map((refund) =>
      refund.state === 'pending' ? { ...refund, state: 'succeeded' } : refund,
    );
    this.look();
    for (let which = 0; which < 2 * this.own.length; which += 1) this.follow({ which, outcome: 'succeeded' });
  }

  /** Received - refunded - lost = the provider's, by the notes. */
  expectBalance(): void {
    if (this.dispute?.state === 'open') return;
    const arrived = this.made.filter(({ state }) => state === 'succeeded');
    const lostCents = sumCredited(this.notes.filter(({ lost }) => lost));
    expect(lostCents).toBe(this.lostCents);
    expect(sumCredited(this.notes) - lostCents).toBe(
      arrived.reduce((sum, { amountCents }) => sum + amountCents, 0),
    );
  }

  /** Each refund of the shop has its note, unless money of the provider covered it. */
  expectNotes(): void {
    const isOwn = this.dispute === null && this.made.every(({ refundId }) => refundId !== null);
    for (const { id, amountCents } of this.own) {
      const noted = sumCredited(this.notes.filter(({ refundId }) => refundId === id));
      expect(noted).toBeLessThanOrEqual(amountCents);
      if (isOwn) expect(noted).toBe(amountCents);
    }
  }

  /** No sum falls while a dispute is undecided. */
  findMistake = () => {
    const { orders, own, payment, claims } = this;
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const totalCents = sum(orders.map((order) => order.totalCents));
    const gone = Math.min(totalCents, countGone(payment, claims));
    const unassigned = Math.max(...orders.map(({ unassignedCents }) => unassignedCents));
    const recorded = Math.min(totalCents, sum(orders.map(({ refundCents }) => refundCents)) + unassigned);
    const states = [...orders.map(({ refundState }) => refundState), ...own.map(({ state }) => state)];
    const isDecided = claims.disputes.every(({ state }) => state === 'won' || state === 'lost');
    const isFinal = isDecided && states.every((state) => state === null || state === 'succeeded');
    const agrees = isFinal ? gone === recorded : gone <= recorded;
    return agrees ? null : `${recorded} cents went back here, ${gone} at the provider`;
  };
}

test('each share is refunded once, in any order of steps and failures', () => {
  fc.assert(
    fc.property(shares, steps, (totals, taken) => {
      const model = new Model(totals);
      for (const step of taken) {
        model.take(step);
        expect(model.findMistake()).toBeNull();
      }
      model.end();
      // Every requested refund has arrived.
      expect(model.own.map(({ state }) => state)).toEqual(model.own.map(() => 'succeeded'));
      const seenCents = Math.min(model.seenCents, model.byHandCents);
      expect(model.goneCents + model.lostCents).toBeGreaterThanOrEqual(
        Math.min(model.paidCents, model.askedCents + seenCents),
      );
      model.expectNotes();
      expect(model.findMistake()).toBeNull();
      // What came back for closed orders can be refunded again.
      for (const [which, { closed }] of model.orders.entries())
        if (closed !== null) model.ask({ which, part: 1 });
      model.end();
      const open = model.orders.filter(({ closed }) => closed === null);
      expect(model.returnedCents).toBe(0);
      if (open.length === 0)
        expect(model.goneCents + model.lostCents).toBeGreaterThanOrEqual(model.paidCents);
      model.expectNotes();
      expect(model.findMistake()).toBeNull();
    }),
    { numRuns: 2000 },
  );
});

test('an external refund for a failed one leaves the other shares intact', () => {
  const model = new Model([5000, 10_000, 15_000]);
  const step = { does: 'ask', which: 2, part: 1, outcome: 'succeeded', isMarked: false } as const;
  model.ask(step);
  model.follow({ which: 0, outcome: 'succeeded' });
  model.ask({ ...step, which: 1 });
  model.follow({ which: 1, outcome: 'failed' });
  model.refundByHand({ ...step, part: 10 / 15 });
  model.end();
  expect(model.goneCents).toBe(25_000);
  expect(model.summarize().map(({ refundCents }) => refundCents)).toEqual([0, 10_000, 15_000]);
});

test('an external refund does not also cover a later failed refund', () => {
  const model = new Model([10_000, 10_000, 15_000]);
  const step = { does: 'ask', which: 0, part: 1, outcome: 'succeeded', isMarked: false } as const;
  model.ask(step);
  model.follow({ which: 0, outcome: 'succeeded' });
  model.ask({ ...step, which: 1 });
  model.follow({ which: 1, outcome: 'refused' });
  model.refundByHand({ ...step, part: 10 / 25 });
  expect(model.own.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  model.finish({ which: 1, outcome: 'failed' });
  expect(model.own.map(({ state }) => state)).toEqual(['failed', 'succeeded']);
  model.end();
  expect(model.goneCents).toBe(20_000);
});
