/**
 * The two calls that the script makes. A client secret is `<payment id>_secret_<random>`.
 *
 * @typedef {{ type: string, message?: string, code?: string, decline_code?: string, payment_intent?: Intent }} CallError
 * @typedef {{ id: string, status: string, client_secret: string, last_payment_error: CallError | null,
 *   next_action: { type: string, redirect_to_url?: { url: string } } | null }} Intent
 * @typedef {{ paymentIntent: Intent, error?: undefined } | { error: CallError, paymentIntent?: undefined }} CallResult
 */

/** Calls go where this script came from, also when the page is another origin's. */
const home = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src ?? location.href;

export class ProviderCalls {
  /** @type {string} */ #key;

  /** @param {string} key the publishable key */
  constructor(key) {
    this.#key = key;
  }

  /**
   * @param {string} clientSecret
   * @returns {Promise<CallResult>}
   */
  retrieve(clientSecret) {
    const query = new URLSearchParams({ key: this.#key, client_secret: clientSecret });
    return this.#ask(`${this.#addressOf(clientSecret)}?${query}`);
  }

  /**
   * @param {string} clientSecret
   * @param {string} token a test token; never a card number
   * @returns {Promise<CallResult>}
   */
  confirm(clientSecret, token) {
    const body = new URLSearchParams({
      key: this.#key,
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][token]': token,
    });
    return this.#ask(`${this.#addressOf(clientSecret)}/confirm`, { method: 'POST', body });
  }

  /**
   * Tells the bank that the customer gave up.
   * @param {string} address
   */
  async failChallenge(address) {
    await fetch(new URL(address, home), {
      method: 'POST',
      body: new URLSearchParams({ answer: 'fail' }),
    }).catch(() => {});
  }

  /** @param {string} clientSecret */
  #addressOf(clientSecret) {
    const id = clientSecret.split('_secret_')[0] ?? '';
    return new URL(`/sandbox/stripe/v1/payment_intents/${encodeURIComponent(id)}`, home).href;
  }

  /**
   * @param {string} address
   * @param {RequestInit} [init]
   * @returns {Promise<CallResult>}
   */
  async #ask(address, init) {
    try {
      const answer = await (await fetch(address, init)).json();
      return answer.error ? { error: answer.error } : { paymentIntent: answer };
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
