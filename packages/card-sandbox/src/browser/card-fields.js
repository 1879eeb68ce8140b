import { styleSheetOf } from './appearance.js';
import {
  brandOf,
  cvcLength,
  cvcProblem,
  digitsOf,
  expiryProblem,
  formatExpiry,
  formatNumber,
  numberProblem,
  testTokenOf,
} from './card-rules.js';

/**
 * The three card fields in a frame of their own, with Stripe's names, so that one set of browser tests serves
 * both. The frame has no address: it is part of this page and loads nothing.
 *
 * @typedef {import('./appearance.js').Appearance} Appearance
 * @typedef {import('./card-rules.js').FieldProblem} FieldProblem
 * @typedef {{ family: string, src: string, weight?: string, style?: string }} FontSource
 * @typedef {{ appearance?: Appearance, fonts?: FontSource[] }} Look
 * @typedef {(name: string, event?: object) => void} Tell
 */

const fieldNames = /** @type {const} */ (['number', 'expiry', 'cvc']);
/** @typedef {typeof fieldNames[number]} FieldName */

const labels = { number: 'Card number', expiry: 'Expiration date', cvc: 'Security code' };
const placeholders = { number: '1234 1234 1234 1234', expiry: 'MM / YY', cvc: 'CVC' };
const autofill = { number: 'cc-number', expiry: 'cc-exp', cvc: 'cc-csc' };

export class CardFields {
  /** @type {Tell} */ #tell;
  /** @type {Look} */ #look;
  /** @type {'stacked' | 'plain'} */ #layout;
  /** @type {HTMLIFrameElement | null} */ #frame = null;
  /** @type {CSSStyleSheet | null} */ #sheet = null;
  /** @type {ResizeObserver | null} */ #sizes = null;
  /** @type {Partial<Record<FieldName, HTMLInputElement>>} */ #inputs = {};
  /** @type {Set<FieldName>} */ #judged = new Set();
  #locked = false;

  /**
   * @param {Tell} tell hears of ready, change, focus, blur and escape
   * @param {Look} look
   * @param {'stacked' | 'plain'} layout
   */
  constructor(tell, look, layout) {
    this.#tell = tell;
    this.#look = look;
    this.#layout = layout;
  }

  /** @param {Element} place */
  mount(place) {
    const frame = document.createElement('iframe');
    frame.title = 'Secure payment input frame';
    // Set one by one: a style attribute would be refused by the page's policy.
    Object.assign(frame.style, {
      display: 'block',
      width: 'calc(100% + 8px)',
      height: '0',
      margin: '-4px',
      border: '0',
    });
    frame.addEventListener('load', () => this.#build(frame), { once: true });
    this.#frame = frame;
    this.#tell('loaderstart');
    place.replaceChildren(frame);
  }

  unmount() {
    this.#sizes?.disconnect();
    this.#frame?.remove();
    this.#frame = null;
    this.#sheet = null;
    this.#inputs = {};
    this.#judged.clear();
  }

  /** @param {Look} look */
  restyle(look) {
    this.#look = look;
    this.#paint();
  }

  /** @param {boolean} locked nothing can be typed */
  lock(locked) {
    this.#locked = locked;
    for (const name of fieldNames) this.#input(name)?.toggleAttribute('disabled', locked);
  }

  focus() {
    this.#input('number')?.focus();
  }

  blur() {
    for (const name of fieldNames) this.#input(name)?.blur();
  }

  clear() {
    for (const name of fieldNames) {
      const input = this.#input(name);
      if (input) input.value = '';
    }
    this.#judged.clear();
    this.#showProblems();
    this.#change();
  }

  /**
   * The first thing that is wrong, shown at its field with the others; null when the card is complete.
   * @returns {FieldProblem | null}
   */
  check() {
    for (const name of fieldNames) this.#judged.add(name);
    this.#showProblems();
    const wrong = fieldNames.find((name) => this.#problem(name));
    if (!wrong) return null;
    this.#input(wrong)?.focus();
    return this.#problem(wrong);
  }

  /** The token of the test card; null for a number that is none. */
  token() {
    return testTokenOf(this.#value('number'));
  }

  /** @param {HTMLIFrameElement} frame */
  #build(frame) {
    const inner = frame.contentDocument;
    const view = inner?.defaultView;
    if (!inner || !view || frame !== this.#frame) return;
    inner.documentElement.lang = 'en';
    inner.title = frame.title;
    this.#sheet = new view.CSSStyleSheet();
    inner.adoptedStyleSheets = [this.#sheet];
    this.#addFonts(inner, view);
    inner.body.append(this.#fields(inner));
    this.lock(this.#locked);
    this.#paint();
    this.#sizes = new ResizeObserver(() => {
      frame.style.height = `${inner.body.offsetHeight}px`;
    });
    this.#sizes.observe(inner.body);
    // In a turn of its own: whoever has just called `mount` may still be adding its listeners.
    setTimeout(() => this.#tell('ready'));
  }

  /** @param {Document} inner */
  #fields(inner) {
    const fields = inner.createElement('div');
    fields.className = 'Fields';
    for (const name of fieldNames) {
      const field = inner.createElement('div');
      field.className = name === 'number' ? 'Field Field--wide' : 'Field';
      const label = inner.createElement('label');
      label.className = 'Label';
      label.htmlFor = `Field-${name}`;
      label.textContent = labels[name];
      const error = inner.createElement('p');
      error.className = 'Error';
      error.id = `Field-${name}-error`;
      error.setAttribute('role', 'alert');
      field.append(label, this.#makeInput(inner, name), error);
      fields.append(field);
    }
    return fields;
  }

  /**
   * @param {Document} inner
   * @param {FieldName} name
   */
  #makeInput(inner, name) {
    const input = inner.createElement('input');
    Object.assign(input, {
      className: 'Input',
      id: `Field-${name}`,
      name,
      type: 'text',
      inputMode: 'numeric',
      placeholder: placeholders[name],
      autocomplete: autofill[name],
      spellcheck: false,
    });
    input.setAttribute('aria-required', 'true');
    input.setAttribute('aria-label', labels[name]);
    input.setAttribute('aria-describedby', `Field-${name}-error`);
    input.addEventListener('input', (event) => this.#typed(name, /** @type {InputEvent} */ (event)));
    input.addEventListener('focus', () => this.#tell('focus'));
    input.addEventListener('blur', () => {
      if (input.value !== '') this.#judged.add(name);
      this.#showProblems();
      this.#tell('blur');
    });
    input.addEventListener('keydown', (event) => this.#pressed(event));
    this.#inputs[name] = input;
    return input;
  }

  /**
   * @param {FieldName} name
   * @param {InputEvent} event
   */
  #typed(name, event) {
    const input = this.#input(name);
    if (!input) return;
    const deleting = event.inputType?.startsWith('delete') ?? false;
    const atEnd = input.selectionStart === input.value.length;
    const formatted = this.#formatted(name, input.value, deleting);
    if (formatted !== input.value) {
      const digitsBefore = digitsOf(input.value.slice(0, input.selectionStart ?? 0)).length;
      input.value = formatted;
      const place = atEnd ? formatted.length : placeAfter(formatted, digitsBefore);
      input.setSelectionRange(place, place);
    }
    // Complain only of what was judged before, or is complete and wrong.
    if (this.#isFull(name)) this.#judged.add(name);
    this.#showProblems();
    this.#change();
    if (atEnd && this.#isFull(name) && !this.#problem(name)) this.#next(name)?.focus();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.key === 'Escape') this.#tell('escape');
    if (event.key !== 'Enter') return;
    // The frame is not part of the page's form, so Enter is passed on by hand.
    event.preventDefault();
    this.#frame?.closest('form')?.requestSubmit();
  }

  /**
   * @param {FieldName} name
   * @param {string} text
   * @param {boolean} deleting
   */
  #formatted(name, text, deleting) {
    if (name === 'number') return formatNumber(text);
    if (name === 'expiry') return formatExpiry(text, deleting);
    return digitsOf(text).slice(0, cvcLength(this.#brand()));
  }

  /** @param {FieldName} name */
  #isFull(name) {
    const problem = this.#problem(name);
    return problem === null || !problem.code.startsWith('incomplete');
  }

  /**
   * @param {FieldName} name
   * @returns {FieldProblem | null}
   */
  #problem(name) {
    const text = this.#value(name);
    if (name === 'number') return numberProblem(text);
    if (name === 'expiry') return expiryProblem(text, new Date());
    return cvcProblem(text, this.#brand());
  }

  #showProblems() {
    for (const name of fieldNames) {
      const input = this.#input(name);
      if (!input) continue;
      const problem = this.#judged.has(name) ? this.#problem(name) : null;
      input.classList.toggle('Input--invalid', problem !== null);
      input.setAttribute('aria-invalid', String(problem !== null));
      const error = input.ownerDocument.getElementById(`Field-${name}-error`);
      if (error && error.textContent !== (problem?.message ?? '')) error.textContent = problem?.message ?? '';
    }
  }

  #change() {
    this.#tell('change', {
      empty: fieldNames.every((name) => this.#value(name) === ''),
      complete: fieldNames.every((name) => this.#problem(name) === null),
      brand: this.#brand(),
    });
  }

  #paint() {
    if (!this.#sheet || !this.#frame?.contentDocument) return;
    // The same scheme within and without, or the browser paints a white ground behind the frame.
    const scheme = this.#look.appearance?.theme === 'night' ? 'dark' : 'light';
    this.#frame.style.colorScheme = scheme;
    this.#frame.contentDocument.documentElement.style.colorScheme = scheme;
    this.#sheet.replaceSync(styleSheetOf(this.#look.appearance, this.#layout));
  }

  /**
   * @param {Document} inner
   * @param {Window & typeof globalThis} view
   */
  #addFonts(inner, view) {
    for (const { family, src, weight, style } of this.#look.fonts ?? []) {
      if (!family || !src) continue;
      const face = new view.FontFace(family, src, { ...(weight && { weight }), ...(style && { style }) });
      inner.fonts.add(face);
      // Without it the fields are shown in the fallback, which is no reason to fail.
      face.load().catch(() => {});
    }
  }

  /** @param {FieldName} name */
  #input(name) {
    return this.#inputs[name];
  }

  /** @param {FieldName} name */
  #value(name) {
    return this.#input(name)?.value ?? '';
  }

  #brand() {
    return brandOf(digitsOf(this.#value('number')));
  }

  /** @param {FieldName} name */
  #next(name) {
    const following = fieldNames[fieldNames.indexOf(name) + 1];
    return following && this.#input(following);
  }
}

/**
 * Where the caret stands after as many digits.
 * @param {string} text
 * @param {number} digits
 */
function placeAfter(text, digits) {
  let seen = 0;
  for (let place = 0; place < text.length; place += 1) {
    if (seen === digits) return place;
    if (/\d/.test(text[place] ?? '')) seen += 1;
  }
  return text.length;
}
