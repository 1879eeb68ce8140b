import { extractDigits } from './card-rules.js';

/** Titles, names and classes match Stripe's, so the same browser tests cover both. */

export const fieldNames = /** @type {const} */ (['number', 'expiry', 'cvc']);
/** @typedef {typeof fieldNames[number]} FieldName */

const labels = { number: 'Card number', expiry: 'Expiration date', cvc: 'Security code' };
const placeholders = { number: '1234 1234 1234 1234', expiry: 'MM / YY', cvc: 'CVC' };
const autocompletes = { number: 'cc-number', expiry: 'cc-exp', cvc: 'cc-csc' };

/** A frame without an address belongs to this page and loads nothing. */
export function createFrame() {
  const frame = document.createElement('iframe');
  frame.title = 'Secure payment input frame';
  // One by one: the page's content security policy refuses style attributes.
  Object.assign(frame.style, {
    display: 'block',
    width: 'calc(100% + 8px)',
    height: '0',
    margin: '-4px',
    border: '0',
  });
  return frame;
}

/**
 * @param {Document} frameDocument
 * @param {FieldName} name
 * @returns {{ field: HTMLElement, input: HTMLInputElement, error: HTMLElement }}
 */
export function createField(frameDocument, name) {
  const field = frameDocument.createElement('div');
  field.className = name === 'number' ? 'Field Field--wide' : 'Field';
  const label = frameDocument.createElement('label');
  label.className = 'Label';
  label.htmlFor = `Field-${name}`;
  label.textContent = labels[name];
  const input = createInput(frameDocument, name);
  const error = frameDocument.createElement('p');
  error.className = 'Error';
  error.id = `Field-${name}-error`;
  error.setAttribute('role', 'alert');
  field.append(label, input, error);
  return { field, input, error };
}

/**
 * @param {Document} frameDocument
 * @param {FieldName} name
 */
function createInput(frameDocument, name) {
  const input = frameDocument.createElement('input');
  Object.assign(input, {
    className: 'Input',
    id: `Field-${name}`,
    name,
    type: 'text',
    inputMode: 'numeric',
    placeholder: placeholders[name],
    autocomplete: autocompletes[name],
    spellcheck: false,
  });
  input.setAttribute('aria-required', 'true');
  input.setAttribute('aria-label', labels[name]);
  input.setAttribute('aria-describedby', `Field-${name}-error`);
  return input;
}

/**
 * Keeps the caret behind the same digit.
 * @param {HTMLInputElement} input
 * @param {string} formatted
 */
export function replaceText(input, formatted) {
  if (formatted === input.value) return;
  const isAtEnd = input.selectionStart === input.value.length;
  const digitsBefore = extractDigits(input.value.slice(0, input.selectionStart ?? 0)).length;
  input.value = formatted;
  const position = isAtEnd ? formatted.length : findCaretPosition(formatted, digitsBefore);
  input.setSelectionRange(position, position);
}

/**
 * @param {string} text
 * @param {number} digitCount
 */
function findCaretPosition(text, digitCount) {
  let seen = 0;
  for (let position = 0; position < text.length; position += 1) {
    if (seen === digitCount) return position;
    if (/\d/.test(text[position] ?? '')) seen += 1;
  }
  return text.length;
}
