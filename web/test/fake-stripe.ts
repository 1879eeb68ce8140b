import type { PaymentIntent, PaymentIntentResult, StripeError } from '@stripe/stripe-js';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, vi } from 'vitest';

/** Stripe's script as the tests of a file play it; every test begins with a new one that is on the page already. */
export function startFakeStripe(): FakeStripe {
  const fake = new FakeStripe();
  const Stripe = Object.assign(() => shared.current?.stripe, { version: 'endive' });
  beforeEach(() => {
    shared.current = fake;
    fake.reset();
    vi.stubGlobal('Stripe', Stripe);
  });
  return fake;
}

/**
 * The one that answers now. Stripe's own loader keeps the first script that it gets, for all files of a worker, while
 * this module is loaded anew for each: so it is kept where both have it.
 */
const shared = shareInWorker();
function shareInWorker(): { current?: FakeStripe } {
  const known = globalThis as Record<symbol, { current?: FakeStripe }>;
  const key = Symbol.for('fake Stripe');
  known[key] ??= {};
  return known[key];
}

type Handlers = Record<string, (event: object) => void>;

/** As far as the page and Stripe's React components use it. */
export class FakeStripe {
  /** Whether the card fields in the provider's frame are loaded, cannot be, or are on their way. */
  fields: 'ready' | 'failed' | 'loading' = 'ready';
  /** How often a payment was to be confirmed. */
  confirmations = 0;
  #handlers: Handlers = {};
  #outcomes: (PaymentIntentResult | Error | Promise<PaymentIntentResult>)[] = [];

  readonly stripe = {
    elements: () => ({
      create: () => this.#createFields(),
      getElement: () => null,
      update: () => {},
    }),
    createToken: () => {},
    createPaymentMethod: () => {},
    confirmCardPayment: () => {},
    confirmPayment: () => {
      this.confirmations += 1;
      return this.#nextOutcome();
    },
    retrievePaymentIntent: () => this.#nextOutcome(),
  };

  reset(): void {
    this.fields = 'ready';
    this.confirmations = 0;
    this.#outcomes = [];
  }

  /** Takes the script from the page, so that it must be loaded; in a test that fails. */
  remove(): void {
    Reflect.deleteProperty(globalThis, 'Stripe');
  }

  /** What confirmations and look-ups come to, one after the other. */
  answer(...outcomes: (PaymentIntentResult | Error | Promise<PaymentIntentResult>)[]): void {
    this.#outcomes = outcomes;
  }

  /** The card fields are filled in, or something of them is deleted. */
  type({ complete }: { complete: boolean }): void {
    this.#handlers.focus?.({});
    this.report({ complete });
    this.#handlers.blur?.({});
  }

  /** What the provider says of its fields, whoever has changed them. */
  report({ complete }: { complete: boolean }): void {
    this.#handlers.change?.({ complete, empty: false, value: { type: 'card' } });
  }

  async #nextOutcome(): Promise<PaymentIntentResult> {
    const outcome = await this.#outcomes.shift();
    if (!outcome) throw new Error('This test names no outcome of the payment.');
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  #createFields() {
    const handlers: Handlers = {};
    this.#handlers = handlers;
    const fields = {
      on: (name: string, handler: (event: object) => void) => {
        handlers[name] = handler;
        return fields;
      },
      off: () => fields,
      once: () => fields,
      update: () => {},
      destroy: () => {},
      mount: () => {
        if (this.fields === 'ready') queueMicrotask(() => handlers.ready?.(fields));
        if (this.fields === 'failed') queueMicrotask(() => handlers.loaderror?.({ error: {} }));
      },
    };
    return fields;
  }
}

export const succeeded = (id = 'pi_12345678'): PaymentIntentResult => ({
  paymentIntent: { id, status: 'succeeded' } as PaymentIntent,
});

export const inState = (status: PaymentIntent['status']): PaymentIntentResult => ({
  paymentIntent: { id: 'pi_12345678', status, last_payment_error: null } as PaymentIntent,
});

export const failed = (error: Partial<StripeError>): PaymentIntentResult => ({ error: error as StripeError });

/** Another page has cancelled the payment. */
export const cancelled = () =>
  failed({
    code: 'payment_intent_unexpected_state',
    payment_intent: inState('canceled').paymentIntent as never,
  });

/** The button that pays, once it can be pressed: the card fields are there a moment after it. */
export const findPayButton = (amount: string) =>
  waitFor(() => {
    const button = screen.getByRole('button', { name: `Pay ${amount}` });
    expect(button).toBeEnabled();
    return button;
  });
