import { invalidRequest } from './api-error.ts';

/** `metadata[orderId]=1&expand[0]=latest_charge` gives nested objects and lists. */
export type FormValue = string | { [key: string]: FormValue };
export type Form = Record<string, FormValue>;

/** Stripe's own forms need four levels. */
const MAX_DEPTH = 16;

/**
 * Objects without a prototype, so `__proto__` is a plain name.
 * @throws ApiError for a name that is text and object, or nested too deep
 */
export function parseForm(encoded: string): Form {
  const form: Form = Object.create(null);
  for (const [name, value] of new URLSearchParams(encoded)) {
    const names = splitName(name);
    if (names.length > MAX_DEPTH) throw invalidRequest('Invalid parameter: nested too deep');
    assign(form, names, value, name);
  }
  return form;
}

/** `a[b][c]` as a, b, c. */
const splitName = (name: string): string[] => name.replaceAll(']', '').split('[');

function assign(form: Form, [first = '', ...rest]: string[], value: string, fullName: string): void {
  if (rest.length === 0) {
    form[first] = value;
    return;
  }
  form[first] ??= Object.create(null) as Form;
  const inner = form[first];
  if (typeof inner === 'string') throw invalidRequest(`Invalid parameter: ${fullName}`, { param: fullName });
  assign(inner, rest, value, fullName);
}

/** @throws ApiError when it is an object */
export function readString(form: Form, name: string): string | undefined {
  const value = form[name];
  if (typeof value === 'object') throw invalidRequest(`Invalid string: ${name}`, { param: name });
  return value;
}

/** Empty when absent. @throws ApiError */
export function readStringMap(form: Form, name: string): Record<string, string> {
  const value = form[name];
  if (value === undefined || value === '') return {};
  if (typeof value === 'string') throw invalidRequest(`Invalid object: ${name}`, { param: name });
  return Object.fromEntries(Object.keys(value).map((key) => [key, readString(value, key) ?? '']));
}

/** Empty when absent. @throws ApiError */
export const readStringList = (form: Form, name: string): string[] =>
  Object.values(readStringMap(form, name));

/** @throws ApiError `parameter_unknown`, as strict as Stripe */
export function rejectUnknownParameters(form: Form, known: readonly string[]): void {
  for (const name of Object.keys(form)) {
    if (!known.includes(name)) {
      throw invalidRequest(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
    }
  }
}
