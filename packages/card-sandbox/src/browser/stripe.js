import { showChallenge } from './challenge-dialog.js';
import { Elements } from './elements.js';
import { SandboxClient } from './sandbox-client.js';

/**
 * Replaces Stripe's script when there is no account. It offers the part of `window.Stripe` that a card
 * payment needs, so the page runs the same code with Stripe.
 *
 * @typedef {import('./card-fields.js').CardFields} CardFields
 * @typedef {import('./sandbox-client.js').IntentResult} IntentResult
 * @typedef {{ elements?: Elements, clientSecret?: string }} ConfirmOptions
 */

const notTestCardError = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'test_mode_live_card',
  message:
    'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
};

const unsupported = () => {
  throw new Error('The card sandbox has confirmPayment and retrievePaymentIntent only.');
};

/** @param {string} publishableKey */
function Stripe(publishableKey) {
  if (!/^pk_test_/.test(publishableKey)) throw new Error('The card sandbox takes a test key only.');
  const client = new SandboxClient(publishableKey);
  return {
    /** @param {import('./elements.js').ElementsOptions} [options] */
    elements: (options = {}) => new Elements(options),

    /** @param {ConfirmOptions} options */
    confirmPayment: (options) => confirmPayment(client, options),

    /** @param {string} clientSecret */
    retrievePaymentIntent: (clientSecret) => client.retrieveIntent(clientSecret),

    // `@stripe/react-stripe-js` rejects an object without these.
    confirmCardPayment: unsupported,
    createPaymentMethod: unsupported,
    createToken: unsupported,
  };
}

/**
 * @param {SandboxClient} client
 * @param {ConfirmOptions} options
 * @returns {Promise<IntentResult>} without Stripe's redirect, which the page asks for only if required
 */
async function confirmPayment(client, { elements, clientSecret = elements?.clientSecret }) {
  if (!elements || !clientSecret) throw new Error('confirmPayment needs elements with a client secret.');
  return confirmWithFields(client, elements.fields, clientSecret);
}

/**
 * Confirms with the entered card, including the bank's challenge.
 * @param {SandboxClient} client
 * @param {CardFields | null} fields
 * @param {string} clientSecret
 * @returns {Promise<IntentResult>}
 */
async function confirmWithFields(client, fields, clientSecret) {
  const problem = fields?.validate();
  if (problem) return { error: { type: 'validation_error', ...problem } };
  const token = fields?.findTestToken();
  // A real card number must not leave the page.
  if (!fields || !token) return { error: notTestCardError };
  fields.setDisabled(true);
  try {
    return await handleNextAction(client, clientSecret, await client.confirmIntent(clientSecret, token));
  } finally {
    fields.setDisabled(false);
  }
}

/**
 * Runs the bank's challenge if the payment waits for one.
 * @param {SandboxClient} client
 * @param {string} clientSecret
 * @param {IntentResult} result
 * @returns {Promise<IntentResult>}
 */
async function handleNextAction(client, clientSecret, result) {
  const url = result.paymentIntent?.next_action?.redirect_to_url?.url;
  if (!url) return result;
  let latest = result;
  const isWaiting = async () => {
    const current = await client.retrieveIntent(clientSecret);
    // The state is unknown without a response, so keep waiting.
    if (current.error?.type === 'api_connection_error') return true;
    latest = current;
    return current.paymentIntent?.next_action?.redirect_to_url?.url === url;
  };
  await showChallenge(url, isWaiting, () => client.failChallenge(url));
  return toFinalResult(latest);
}

/**
 * The page's result after a challenge: the payment, or the reason for its failure.
 * @param {IntentResult} result
 * @returns {IntentResult}
 */
function toFinalResult(result) {
  const intent = result.paymentIntent;
  if (!intent || intent.status === 'succeeded' || intent.status === 'processing') return result;
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

/** The release that `@stripe/stripe-js` expects; it warns about any other. */
Stripe.version = 'endive';

Object.assign(window, { Stripe });
