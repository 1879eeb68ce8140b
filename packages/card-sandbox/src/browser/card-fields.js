import { buildStyleSheet } from './appearance.js';
import { createField, createFrame, fieldNames, replaceText } from './card-frame.js';
import {
  detectBrand,
  extractDigits,
  findTestToken,
  formatExpiry,
  formatNumber,
  getCvcLength,
  validateCvc,
  validateExpiry,
  validateNumber,
} from './card-rules.js';

/**
 * @typedef {import('./appearance.js').Appearance} Appearance
 * @typedef {import('./card-frame.js').FieldName} FieldName
 * @typedef {import('./card-rules.js').FieldProblem} FieldProblem
 * @typedef {{ family: string, src: string, weight?: string, style?: string }} FontSource
 * @typedef {{ appearance?: Appearance, fonts?: FontSource[] }} StyleOptions
 * @typedef {(name: string, event?: object) => void} Emit
 * @typedef {{ input: HTMLInputElement, error: HTMLElement }} Field
 */

/** The three card fields in their own frame, like Stripe's. */
export class CardFields {
  /** @type {Emit} */ #emit;
  /** @type {StyleOptions} */ #styleOptions;
  /** @type {HTMLIFrameElement | null} */ #frame = null;
  /** @type {CSSStyleSheet | null} */ #styleSheet = null;
  /** @type {ResizeObserver | null} */ #resizeObserver = null;
  /** @type {Partial<Record<FieldName, Field>>} */ #fields = {};
  /**
   * Fields that may show an error: left or completed by the customer.
   * @type {Set<FieldName>}
   */
  #touched = new Set();
  #isDisabled = false;
  /**
   * The focused field before the form was disabled.
   * @type {FieldName | null}
   */
  #focusedBefore = null;

  /**
   * @param {Emit} emit receives loaderstart, ready, change, focus, blur and escape
   * @param {StyleOptions} styleOptions
   */
  constructor(emit, styleOptions) {
    this.#emit = emit;
    this.#styleOptions = styleOptions;
  }

  /** @param {Element} parent loses its other content */
  mount(parent) {
    const frame = createFrame();
    frame.addEventListener('load', () => this.#fillFrame(frame), { once: true });
    this.#frame = frame;
    this.#emit('loaderstart');
    parent.replaceChildren(frame);
  }

  unmount() {
    this.#resizeObserver?.disconnect();
    this.#frame?.remove();
    this.#frame = null;
    this.#styleSheet = null;
    this.#fields = {};
    this.#touched.clear();
  }

  /** @param {StyleOptions} styleOptions */
  updateStyle(styleOptions) {
    this.#styleOptions = styleOptions;
    this.#applyStyle();
  }

  /**
   * Disabling a field drops its focus. Enabling restores it unless another element took it.
   * @param {boolean} isDisabled
   */
  setDisabled(isDisabled) {
    const frameDocument = this.#frame?.contentDocument;
    const focused = fieldNames.find((name) => this.#fields[name]?.input === frameDocument?.activeElement);
    if (isDisabled && !this.#isDisabled) this.#focusedBefore = focused ?? null;
    this.#isDisabled = isDisabled;
    for (const name of fieldNames) this.#fields[name]?.input.toggleAttribute('disabled', isDisabled);
    if (isDisabled || !this.#focusedBefore) return;
    // The frame keeps the page's focus while its fields are disabled.
    if (this.#hasPageFocus()) this.#fields[this.#focusedBefore]?.input.focus();
    this.#focusedBefore = null;
  }

  focus() {
    this.#fields.number?.input.focus();
  }

  #hasPageFocus() {
    const { activeElement, body } = document;
    return activeElement === this.#frame || activeElement === body || activeElement === null;
  }

  /**
   * Shows each field's error and focuses the first invalid field.
   * @returns {FieldProblem | null} the first; null when the card is complete
   */
  validate() {
    for (const name of fieldNames) this.#touched.add(name);
    this.#showErrors();
    const invalid = fieldNames.find((name) => this.#validateField(name));
    if (!invalid) return null;
    this.#fields[invalid]?.input.focus();
    return this.#validateField(invalid);
  }

  findTestToken() {
    return findTestToken(this.#getText('number'));
  }

  /** @param {HTMLIFrameElement} frame */
  #fillFrame(frame) {
    const frameDocument = frame.contentDocument;
    const frameWindow = frameDocument?.defaultView;
    if (!frameDocument || !frameWindow || frame !== this.#frame) return;
    frameDocument.documentElement.lang = 'en';
    frameDocument.title = frame.title;
    this.#styleSheet = new frameWindow.CSSStyleSheet();
    frameDocument.adoptedStyleSheets = [this.#styleSheet];
    this.#addFonts(frameDocument, frameWindow);
    this.#addFields(frameDocument);
    this.setDisabled(this.#isDisabled);
    this.#applyStyle();
    this.#resizeObserver = new ResizeObserver(() => {
      frame.style.height = `${frameDocument.body.offsetHeight}px`;
    });
    this.#resizeObserver.observe(frameDocument.body);
    // Deferred, so that the caller of `mount` can add its listeners first.
    setTimeout(() => this.#emit('ready'));
  }

  /** @param {Document} frameDocument */
  #addFields(frameDocument) {
    const container = frameDocument.createElement('div');
    container.className = 'Fields';
    for (const name of fieldNames) {
      const { field, input, error } = createField(frameDocument, name);
      this.#fields[name] = { input, error };
      this.#addListeners(name, input);
      container.append(field);
    }
    frameDocument.body.append(container);
  }

  /**
   * @param {FieldName} name
   * @param {HTMLInputElement} input
   */
  #addListeners(name, input) {
    input.addEventListener('input', (event) =>
      this.#handleInput(name, input, /** @type {InputEvent} */ (event)),
    );
    input.addEventListener('focus', () => this.#emit('focus'));
    input.addEventListener('blur', () => {
      if (input.value !== '') this.#touched.add(name);
      this.#showErrors();
      this.#emit('blur');
    });
    input.addEventListener('keydown', (event) => this.#handleKeydown(event));
  }

  /**
   * @param {FieldName} name
   * @param {HTMLInputElement} input
   * @param {InputEvent} event
   */
  #handleInput(name, input, event) {
    const isDeleting = event.inputType?.startsWith('delete') ?? false;
    const isAtEnd = input.selectionStart === input.value.length;
    replaceText(input, this.#format(name, input.value, isDeleting));
    // A number shows no "incomplete" error while it is being typed.
    if (this.#hasAllDigits(name)) this.#touched.add(name);
    this.#showErrors();
    this.#emitChange();
    if (isAtEnd && !this.#validateField(name)) this.#findNextInput(name)?.focus();
  }

  /** @param {KeyboardEvent} event */
  #handleKeydown(event) {
    if (event.key === 'Escape') this.#emit('escape');
    if (event.key !== 'Enter') return;
    // The frame is outside the page's form.
    event.preventDefault();
    this.#frame?.closest('form')?.requestSubmit();
  }

  /**
   * @param {FieldName} name
   * @param {string} text
   * @param {boolean} isDeleting
   */
  #format(name, text, isDeleting) {
    if (name === 'number') return formatNumber(text);
    if (name === 'expiry') return formatExpiry(text, isDeleting);
    return extractDigits(text).slice(0, getCvcLength(this.#detectBrand()));
  }

  /**
   * @param {FieldName} name
   * @returns {FieldProblem | null}
   */
  #validateField(name) {
    const text = this.#getText(name);
    if (name === 'number') return validateNumber(text);
    if (name === 'expiry') return validateExpiry(text, new Date());
    return validateCvc(text, this.#detectBrand());
  }

  /** @param {FieldName} name */
  #hasAllDigits(name) {
    return !this.#validateField(name)?.code.startsWith('incomplete');
  }

  #showErrors() {
    for (const name of fieldNames) {
      const field = this.#fields[name];
      if (!field) continue;
      const problem = this.#touched.has(name) ? this.#validateField(name) : null;
      field.input.classList.toggle('Input--invalid', problem !== null);
      field.input.setAttribute('aria-invalid', String(problem !== null));
      const message = problem?.message ?? '';
      // Screen readers repeat an alert whose text is rewritten.
      if (field.error.textContent !== message) field.error.textContent = message;
    }
  }

  #emitChange() {
    this.#emit('change', {
      empty: fieldNames.every((name) => this.#getText(name) === ''),
      complete: fieldNames.every((name) => this.#validateField(name) === null),
      brand: this.#detectBrand(),
    });
  }

  #applyStyle() {
    if (!this.#styleSheet || !this.#frame?.contentDocument) return;
    const { appearance } = this.#styleOptions;
    // With different schemes, the browser paints a white background behind the frame.
    const scheme = appearance?.theme === 'night' ? 'dark' : 'light';
    this.#frame.style.colorScheme = scheme;
    this.#frame.contentDocument.documentElement.style.colorScheme = scheme;
    this.#styleSheet.replaceSync(buildStyleSheet(appearance));
  }

  /**
   * @param {Document} frameDocument
   * @param {Window & typeof globalThis} frameWindow
   */
  #addFonts(frameDocument, frameWindow) {
    for (const { family, src, weight, style } of this.#styleOptions.fonts ?? []) {
      if (!family || !src) continue;
      const font = new frameWindow.FontFace(family, src, {
        ...(weight && { weight }),
        ...(style && { style }),
      });
      frameDocument.fonts.add(font);
      // The fields fall back to another font.
      font.load().catch(() => {});
    }
  }

  /** @param {FieldName} name */
  #getText(name) {
    return this.#fields[name]?.input.value ?? '';
  }

  #detectBrand() {
    return detectBrand(extractDigits(this.#getText('number')));
  }

  /** @param {FieldName} name */
  #findNextInput(name) {
    const next = fieldNames[fieldNames.indexOf(name) + 1];
    return next && this.#fields[next]?.input;
  }
}
