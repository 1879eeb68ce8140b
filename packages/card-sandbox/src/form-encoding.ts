import { invalidRequest } from './api-error.ts';

/** A form as Stripe encodes it: `metadata[orderId]=1&expand[0]=latest_charge`. */
export type FormValue = string | { [key: string]: FormValue };
export type Form = Record<string, FormValue>;

/**
 * Reads a form. The objects have no prototype, so no name in a form means anything but itself.
 * @throws SandboxRefusal for a name that is a text and an object at once
 */
export function readForm(encoded: string): Form {
  const form: Form = Object.create(null);
  for (const [name, value] of new URLSearchParams(encoded)) put(form, namesOf(name), value, name);
  return form;
}

/** `a[b][c]` as a, b, c. */
const namesOf = (name: string): string[] => name.replaceAll(']', '').split('[');

function put(form: Form, [first = '', ...rest]: string[], value: string, whole: string): void {
  if (rest.length === 0) {
    form[first] = value;
    return;
  }
  form[first] ??= Object.create(null) as Form;
  const inner = form[first];
  if (typeof inner === 'string') throw invalidRequest(`Invalid parameter: ${whole}`, { param: whole });
  put(inner, rest, value, whole);
}

/** A text of a form; undefined when it is absent. @throws SandboxRefusal when it is an object */
export function textOf(form: Form, name: string): string | undefined {
  const value = form[name];
  if (typeof value === 'object') throw invalidRequest(`Invalid string: ${name}`, { param: name });
  return value;
}

/** The values of a list or an object of a form, by their names. */
export function entriesOf(form: Form, name: string): Record<string, string> {
  const value = form[name];
  if (value === undefined || value === '') return {};
  if (typeof value === 'string') throw invalidRequest(`Invalid object: ${name}`, { param: name });
  return Object.fromEntries(Object.keys(value).map((key) => [key, textOf(value, key) ?? '']));
}

/** @throws SandboxRefusal `parameter_unknown`; being strict is what the sandbox is good for */
export function refuseUnknown(form: Form, known: readonly string[]): void {
  for (const name of Object.keys(form)) {
    if (!known.includes(name)) {
      throw invalidRequest(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
    }
  }
}
