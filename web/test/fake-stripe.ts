import type { PaymentIntent, PaymentIntentResult, StripeError } from '@stripe/stripe-js';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, vi } from 'vitest';

/** Fakes Stripe's script, new for every test and already loaded. */
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
 * Shared by all files of a worker: Stripe's loader keeps its first script, but each file loads this module
 * again.
 */
const shared = shareInWorker();
function shareInWorker(): { current?: FakeStripe } {
  const known = globalThis as Record<symbol, { current?: FakeStripe }>;
  const key = Symbol.for('fake Stripe');
  known[key] ??= {};
  return known[key];
}

type Handlers = Record<string, (event: object) => void>;

/** Only the used part. */
export class FakeStripe {
  /** The state of the card fields in the provider's frame. */
  fields: 'ready' | 'failed' | 'loading' = 'ready';
  /** The number of calls to confirm. */
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

  /** Removes the script, so that it must be loaded, which fails in a test. */
  remove(): void {
    Reflect.deleteProperty(globalThis, 'Stripe');
  }

  /** The results of confirmations and look-ups, in order. */
  answer(...outcomes: (PaymentIntentResult | Error | Promise<PaymentIntentResult>)[]): void {
    this.#outcomes = outcomes;
  }

  /** Fills in the card fields, or deletes from them. */
  type({ complete }: { complete: boolean }): void {
    this.#handlers.focus?.({});
    this.report({ complete });
    this.#handlers.blur?.({});
  }

  /** Reports the provider's state of the fields. */
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

/** The active pay button: the card fields appear a moment after it. */
export const findPayButton = (amount: string) =>
  waitFor(() => {
    const button = screen.getByRole('button', { name: `Pay ${amount}` });
    expect(button).toBeEnabled();
    return button;
  });
