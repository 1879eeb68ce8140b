import { CardFields } from './card-fields.js';

/**
 * The part of Stripe's elements that the payment element needs.
 *
 * @typedef {import('./card-fields.js').StyleOptions} StyleOptions
 * @typedef {StyleOptions & { clientSecret?: string }} ElementsOptions
 * @typedef {(event?: object) => void} Listener
 */

class PaymentElement {
  /** @type {CardFields} */ fields;
  /** @type {Map<string, Set<Listener>>} */ #listeners = new Map();

  /** @param {StyleOptions} styleOptions */
  constructor(styleOptions) {
    this.fields = new CardFields((name, event) => this.#emit(name, event), styleOptions);
  }

  /**
   * @param {string | globalThis.Element} target a selector or the element itself
   * @throws {Error} when the selector matches nothing
   */
  mount(target) {
    const parent = typeof target === 'string' ? document.querySelector(target) : target;
    if (!parent) {
      throw new Error(
        `The selector you specified (${target}) applies to no DOM elements that are currently on the page.`,
      );
    }
    this.fields.mount(parent);
  }

  /** On the first field. */
  focus() {
    this.fields.focus();
  }

  destroy() {
    this.fields.unmount();
    this.#listeners.clear();
  }

  /**
   * @param {string} name
   * @param {Listener} listener
   */
  on(name, listener) {
    this.#listeners.set(name, (this.#listeners.get(name) ?? new Set()).add(listener));
    return this;
  }

  /**
   * @param {string} name
   * @param {Listener} listener
   */
  off(name, listener) {
    this.#listeners.get(name)?.delete(listener);
    return this;
  }

  /**
   * @param {string} name
   * @param {object} [event]
   */
  #emit(name, event) {
    const stripeEvent = {
      elementType: 'payment',
      ...(name === 'change' && { collapsed: false, value: { type: 'card' } }),
      ...event,
    };
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(stripeEvent);
  }
}

/** One payment's elements: with cards only, there is one. */
export class Elements {
  /** @type {ElementsOptions} */ #options;
  /** @type {PaymentElement | null} */ #element = null;

  /** @param {ElementsOptions} options */
  constructor(options) {
    this.#options = options;
  }

  get clientSecret() {
    return this.#options.clientSecret;
  }

  get fields() {
    return this.#element?.fields ?? null;
  }

  /** @param {string} type */
  create(type) {
    if (type !== 'payment') throw new Error(`The card sandbox has no ${type} element.`);
    this.#element = new PaymentElement(this.#options);
    return this.#element;
  }

  /** @param {ElementsOptions} options */
  update(options) {
    this.#options = { ...this.#options, ...options };
    this.#element?.fields.updateStyle(this.#options);
  }
}
