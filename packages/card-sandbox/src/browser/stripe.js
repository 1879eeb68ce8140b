import { showChallenge } from './challenge-dialog.js';
import { Element, Elements } from './elements.js';
import { ProviderCalls } from './provider-calls.js';

/**
 * Stands in for Stripe's script while the shop has no account: the same `window.Stripe`, as far as a payment by
 * card needs it, so that the page's code is the code that runs with Stripe.
 *
 * @typedef {import('./provider-calls.js').CallResult} CallResult
 * @typedef {{ elements?: Elements, clientSecret?: string, redirect?: string, confirmParams?: { return_url?: string } }} Confirmation
 */

const notTestCard = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'test_mode_live_card',
  message:
    'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
};

/**
 * Confirms with the card of the fields, through the bank's challenge where there is one.
 * @param {ProviderCalls} calls
 * @param {Elements} elements
 * @param {string} clientSecret
 * @returns {Promise<CallResult>}
 */
async function confirmWith(calls, elements, clientSecret) {
  const { error } = await elements.submit();
  if (error) return { error };
  const token = elements.token();
  // The number of a real card must not leave the page, so nothing is asked of anybody.
  if (!token) return { error: notTestCard };
  elements.lock(true);
  try {
    return await finish(calls, clientSecret, await calls.confirm(clientSecret, token));
  } finally {
    elements.lock(false);
  }
}

/**
 * The end of a payment that may still wait for the bank's challenge.
 * @param {ProviderCalls} calls
 * @param {string} clientSecret
 * @param {CallResult} result
 * @returns {Promise<CallResult>}
 */
async function finish(calls, clientSecret, result) {
  const address = result.paymentIntent?.next_action?.redirect_to_url?.url;
  if (!address) return result;
  let last = result;
  const isWaiting = async () => {
    const seen = await calls.retrieve(clientSecret);
    // Without an answer nothing is known, so it goes on waiting.
    if (seen.error?.type === 'api_connection_error') return true;
    last = seen;
    return seen.paymentIntent?.next_action?.redirect_to_url?.url === address;
  };
  await showChallenge(address, isWaiting, () => calls.failChallenge(address));
  return afterChallenge(last);
}

/**
 * @param {CallResult} last
 * @returns {CallResult}
 */
function afterChallenge(last) {
  const intent = last.paymentIntent;
  if (!intent || intent.status === 'succeeded' || intent.status === 'processing') return last;
  if (intent.last_payment_error) return { error: { ...intent.last_payment_error, payment_intent: intent } };
  return {
    error: {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message: `This PaymentIntent could not be confirmed because it has a status of ${intent.status}.`,
      payment_intent: intent,
    },
  };
}

/**
 * Goes to the page's return address with the payment, as Stripe does unless it was asked not to.
 * @param {string} returnUrl
 * @param {{ id: string, client_secret: string }} intent
 */
function leaveFor(returnUrl, intent) {
  const address = new URL(returnUrl, location.href);
  address.searchParams.set('payment_intent', intent.id);
  address.searchParams.set('payment_intent_client_secret', intent.client_secret);
  address.searchParams.set('redirect_status', 'succeeded');
  location.assign(address);
  return new Promise(() => {});
}

const unsupported = async () => ({
  error: { type: 'invalid_request_error', message: 'The card sandbox takes payments only.' },
});

/** @param {string} key the publishable key */
function Stripe(key) {
  if (!/^pk_test_/.test(key)) throw new Error('The card sandbox takes a test key only.');
  const calls = new ProviderCalls(key);
  return {
    /** @param {import('./elements.js').ElementsOptions} [options] */
    elements: (options = {}) => new Elements(options),

    /** @param {Confirmation} confirmation */
    async confirmPayment({ elements, clientSecret = elements?.clientSecret, redirect, confirmParams }) {
      if (!elements || !clientSecret) throw new Error('confirmPayment needs elements with a client secret.');
      const result = await confirmWith(calls, elements, clientSecret);
      const { return_url: returnUrl } = confirmParams ?? {};
      const { paymentIntent } = result;
      const leaves = redirect !== 'if_required' && returnUrl && paymentIntent?.status === 'succeeded';
      return leaves ? leaveFor(returnUrl, paymentIntent) : result;
    },

    /**
     * @param {string} clientSecret
     * @param {{ payment_method?: string | { card?: unknown } }} [data] a test token, or the card element
     */
    async confirmCardPayment(clientSecret, data = {}) {
      const method = data.payment_method;
      if (typeof method === 'string')
        return finish(calls, clientSecret, await calls.confirm(clientSecret, method));
      const element = method?.card;
      if (!(element instanceof Element))
        throw new Error('confirmCardPayment needs a payment method or a card element.');
      const holder = {
        submit: async () => {
          const problem = element.fields.check();
          return problem ? { error: { type: 'validation_error', ...problem } } : {};
        },
        token: () => element.fields.token(),
        /** @param {boolean} locked */
        lock: (locked) => element.fields.lock(locked),
      };
      return confirmWith(calls, /** @type {Elements} */ (/** @type {unknown} */ (holder)), clientSecret);
    },

    /** @param {string} clientSecret */
    retrievePaymentIntent: (clientSecret) => calls.retrieve(clientSecret),

    /** @param {{ clientSecret: string }} options */
    async handleNextAction({ clientSecret }) {
      return finish(calls, clientSecret, await calls.retrieve(clientSecret));
    },

    createPaymentMethod: unsupported,
    createToken: unsupported,
    registerAppInfo() {},
    _registerWrapper() {},
  };
}

/** Stripe's release that `@stripe/stripe-js` was made for; it warns of any other. */
Stripe.version = 'endive';

Object.assign(window, { Stripe });
