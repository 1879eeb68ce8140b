import { CardFields } from './card-fields.js';

/**
 * Stripe's elements, as far as card fields need them.
 *
 * @typedef {import('./card-fields.js').Look} Look
 * @typedef {import('./provider-calls.js').CallError} CallError
 * @typedef {Look & { clientSecret?: string }} ElementsOptions
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
   * @param {Look} look
   * @param {ElementOptions} options
   */
  constructor(type, look, options) {
    this.type = type;
    this.fields = new CardFields(
      (name, event) => this.#tell(name, event),
      look,
      type === 'card' ? 'plain' : 'stacked',
    );
    this.update(options);
  }

  /** @param {string | globalThis.Element} place */
  mount(place) {
    const found = typeof place === 'string' ? document.querySelector(place) : place;
    if (!found)
      throw new Error(
        `The selector you specified (${place}) applies to no DOM elements that are currently on the page.`,
      );
    this.fields.mount(found);
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
    const first = (event) => {
      this.off(name, first);
      listener(event);
    };
    return this.on(name, first);
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
      this.fields.lock(Boolean(options.disabled || options.readOnly));
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
  #tell(name, event) {
    const full = {
      elementType: this.type,
      ...(name === 'change' && {
        collapsed: false,
        value: this.type === 'card' ? { postalCode: '' } : { type: 'card' },
      }),
      ...event,
    };
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(full);
  }
}

/** The elements of one payment. */
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
    this.#element?.fields.restyle(this.#options);
  }

  /** @returns {Promise<{ error?: CallError, selectedPaymentMethod?: string }>} */
  async submit() {
    const problem = this.#element?.fields.check();
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

  token() {
    return this.#element?.fields.token() ?? null;
  }

  /** @param {boolean} locked */
  lock(locked) {
    this.#element?.fields.lock(locked);
  }
}
