import type * as z from 'zod/mini';
import { toJsonSchema } from '#src/platform/http/docs/json.ts';
import { findEntity } from './entities.ts';

/** The parts of JSON Schema that the contract's schemas use. */
export interface Shape {
  type?: string;
  format?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
}

export const toShape = (schema: z.ZodMiniType, io: 'input' | 'output'): Shape => toJsonSchema(schema, io);

/** `{ data: [order] }`; an optional field ends in `?`. */
export function outline(shape: Shape): string {
  const entity = findEntity(shape);
  if (entity) return entity;
  if (shape.items) return `[${outline(shape.items)}]`;
  const { properties } = shape;
  if (!properties) return '';
  const fields = Object.entries(properties).map(([name, field]) => {
    const inner = outline(field);
    const label = isRequired(shape, name) ? name : `${name}?`;
    return inner === '' || inner === '[]' ? label : `${label}: ${inner}`;
  });
  return `{ ${fields.join(', ')} }`;
}

export const isRequired = ({ required = [] }: Shape, name: string): boolean => required.includes(name);

/** Fields of all alternatives, the first of each name. */
export function listFields(shape: Shape): [name: string, field: Shape, required: boolean][] {
  const alternatives = shape.oneOf ?? shape.anyOf ?? [shape];
  const found = new Map<string, [string, Shape, boolean]>();
  for (const one of alternatives) {
    for (const [name, field] of Object.entries(one.properties ?? {})) {
      const required = alternatives.every((each) => isRequired(each, name));
      if (!found.has(name)) found.set(name, [name, field, required]);
    }
  }
  return [...found.values()];
}

/** `text of 1 to 120 characters`. */
export function describeType(shape: Shape): string {
  const entity = findEntity(shape);
  if (entity) return entity;
  if (shape.const !== undefined) return `\`${shape.const}\``;
  if (shape.enum) return describeChoice(shape.enum);
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives) return [...new Set(alternatives.map(describeType))].join(' or ');
  switch (shape.type) {
    case 'string':
      return describeText(shape);
    case 'integer':
      return `whole number${describeRange(shape)}`;
    case 'number':
      return `number${describeRange(shape)}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array':
      return describeList(shape);
    case 'object':
      return 'object';
    default:
      return 'anything';
  }
}

/** More names would fill a page; the source has them. */
const MAX_CHOICES = 12;

const describeChoice = (values: readonly unknown[]): string =>
  values.length > MAX_CHOICES
    ? `one of ${values.length} names`
    : values.map((value) => `\`${value}\``).join(', ');

const formats: Record<string, string> = { 'date-time': 'moment in UTC', email: 'email', uuid: 'UUID' };

function describeText({ format, minLength, maxLength }: Shape): string {
  const kind = formats[format ?? ''] ?? 'text';
  if (maxLength === undefined) return kind;
  return minLength !== undefined
    ? `${kind} of ${formatNumber(minLength)} to ${formatNumber(maxLength)} characters`
    : `${kind} of at most ${formatNumber(maxLength)} characters`;
}

function describeRange({ minimum = -Infinity, maximum = Infinity, multipleOf }: Shape): string {
  const from = minimum > Number.MIN_SAFE_INTEGER ? formatNumber(minimum) : null;
  const to = maximum < Number.MAX_SAFE_INTEGER ? formatNumber(maximum) : null;
  const steps = multipleOf === undefined ? '' : ` in steps of ${multipleOf}`;
  if (from !== null && to !== null) return ` from ${from} to ${to}${steps}`;
  if (from !== null) return ` of at least ${from}${steps}`;
  return to === null ? steps : ` of at most ${to}${steps}`;
}

function describeList({ items = {}, minItems, maxItems }: Shape): string {
  const of = items.properties ? 'objects' : describeType(items);
  if (maxItems === undefined) return `list: ${of}`;
  return minItems === undefined
    ? `list of at most ${maxItems}: ${of}`
    : `list of ${minItems} to ${maxItems}: ${of}`;
}

const formatNumber = (value: number): string => value.toLocaleString('en-US');
