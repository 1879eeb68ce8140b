/**
 * The sandbox's two calls for browsers. A client secret is `<payment id>_secret_<random>`.
 *
 * @typedef {{ type: string, message?: string, code?: string, decline_code?: string, payment_intent?: Intent }} StripeError
 * @typedef {{ id: string, status: string, client_secret: string, last_payment_error: StripeError | null,
 *   next_action: { type: string, redirect_to_url?: { url: string } } | null }} Intent
 * @typedef {{ paymentIntent: Intent, error?: undefined } | { error: StripeError, paymentIntent?: undefined }} IntentResult
 */

/** Calls go to this script's origin, even on another origin's page. */
const baseUrl = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src ?? location.href;

export class SandboxClient {
  /** @type {string} */ #publishableKey;

  /** @param {string} publishableKey */
  constructor(publishableKey) {
    this.#publishableKey = publishableKey;
  }

  /**
   * @param {string} clientSecret
   * @returns {Promise<IntentResult>}
   */
  retrieveIntent(clientSecret) {
    const query = new URLSearchParams({ key: this.#publishableKey, client_secret: clientSecret });
    return this.#request(`${this.#buildUrl(clientSecret)}?${query}`);
  }

  /**
   * @param {string} clientSecret
   * @param {string} token a test token; never a card number
   * @returns {Promise<IntentResult>}
   */
  confirmIntent(clientSecret, token) {
    const body = new URLSearchParams({
      key: this.#publishableKey,
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][token]': token,
    });
    return this.#request(`${this.#buildUrl(clientSecret)}/confirm`, { method: 'POST', body });
  }

  /**
   * Tells the bank that the customer gave up. Never throws: after a failure the payment keeps waiting.
   * @param {string} url the challenge's
   */
  async failChallenge(url) {
    const body = new URLSearchParams({ answer: 'fail' });
    await fetch(new URL(url, baseUrl), { method: 'POST', body }).catch(() => {});
  }

  /** @param {string} clientSecret */
  #buildUrl(clientSecret) {
    const id = clientSecret.split('_secret_')[0] ?? '';
    return new URL(`/sandbox/stripe/v1/payment_intents/${encodeURIComponent(id)}`, baseUrl).href;
  }

  /**
   * @param {string} url
   * @param {RequestInit} [init]
   * @returns {Promise<IntentResult>}
   */
  async #request(url, init) {
    try {
      const body = await (await fetch(url, init)).json();
      return body.error ? { error: body.error } : { paymentIntent: body };
    } catch {
      return {
        error: {
          type: 'api_connection_error',
          message: 'We could not reach the payment provider. Please check your connection and try again.',
        },
      };
    }
  }
}
