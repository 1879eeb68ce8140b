import { CardFields } from './card-fields.js';

/**
 * Stripe's elements, as far as card fields need them.
 *
 * @typedef {import('./card-fields.js').StyleOptions} StyleOptions
 * @typedef {import('./sandbox-client.js').StripeError} StripeError
 * @typedef {StyleOptions & { clientSecret?: string }} ElementsOptions
 * @typedef {{ readOnly?: boolean, disabled?: boolean }} ElementOptions
 * @typedef {(event?: object) => void} Listener
 */

/** One element: the card fields with Stripe's events. */
export class Element {
  /** @type {'payment' | 'card'} */ type;
  /** @type {CardFields} */ fields;
  /** @type {Map<string, Set<Listener>>} */ #listeners = new Map();

  /**
   * @param {'payment' | 'card'} type
   * @param {StyleOptions} styleOptions
   * @param {ElementOptions} options
   */
  constructor(type, styleOptions, options) {
    this.type = type;
    this.fields = new CardFields(
      (name, event) => this.#emit(name, event),
      styleOptions,
      type === 'card' ? 'plain' : 'stacked',
    );
    this.update(options);
  }

  /**
   * @param {string | globalThis.Element} target a selector or the element itself
   * @throws {Error} when the selector fits nothing
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

  unmount() {
    this.fields.unmount();
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
  once(name, listener) {
    /** @type {Listener} */
    const listenOnce = (event) => {
      this.off(name, listenOnce);
      listener(event);
    };
    return this.on(name, listenOnce);
  }

  /**
   * @param {string} name
   * @param {Listener} [listener] all of them when absent
   */
  off(name, listener) {
    if (listener) this.#listeners.get(name)?.delete(listener);
    else this.#listeners.delete(name);
    return this;
  }

  /** @param {ElementOptions} options */
  update(options) {
    if (options.disabled !== undefined || options.readOnly !== undefined) {
      this.fields.setDisabled(Boolean(options.disabled || options.readOnly));
    }
    return this;
  }

  focus() {
    this.fields.focus();
  }

  blur() {
    this.fields.blur();
  }

  clear() {
    this.fields.clear();
  }

  collapse() {}

  /**
   * @param {string} name
   * @param {object} [event]
   */
  #emit(name, event) {
    const stripeEvent = {
      elementType: this.type,
      ...(name === 'change' && {
        collapsed: false,
        value: this.type === 'card' ? { postalCode: '' } : { type: 'card' },
      }),
      ...event,
    };
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(stripeEvent);
  }
}

/** The elements of one payment: with cards only, there is one. */
export class Elements {
  /** @type {ElementsOptions} */ #options;
  /** @type {Element | null} */ #element = null;

  /** @param {ElementsOptions} options */
  constructor(options) {
    this.#options = options;
  }

  get clientSecret() {
    return this.#options.clientSecret;
  }

  /** The card fields of the payment's element; null before it is created. */
  get fields() {
    return this.#element?.fields ?? null;
  }

  /**
   * @param {string} type
   * @param {ElementOptions} [options]
   */
  create(type, options = {}) {
    if (type !== 'payment' && type !== 'card') throw new Error(`The card sandbox has no ${type} element.`);
    this.#element = new Element(type, this.#options, options);
    return this.#element;
  }

  /** @param {string | { __elementType?: string }} type */
  getElement(type) {
    const name = typeof type === 'string' ? type : type.__elementType;
    return this.#element?.type === name ? this.#element : null;
  }

  /** @param {ElementsOptions} options */
  update(options) {
    this.#options = { ...this.#options, ...options };
    this.#element?.fields.updateStyle(this.#options);
  }

  /** @returns {Promise<{ error?: StripeError, selectedPaymentMethod?: string }>} */
  async submit() {
    const problem = this.#element?.fields.validate();
    return problem ? { error: { type: 'validation_error', ...problem } } : { selectedPaymentMethod: 'card' };
  }

  async fetchUpdates() {
    return {};
  }

  on() {
    return this;
  }

  off() {
    return this;
  }
}
