import type * as z from 'zod/mini';
import { toJsonSchema } from '#src/platform/http/docs/json.ts';
import { findEntity } from './entities.ts';

/** The parts of JSON Schema that the contract's schemas use. */
export interface Shape {
  type?: string | string[];
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

export const toShape = (schema: z.ZodMiniType, io: 'input' | 'output'): Shape =>
  toJsonSchema(schema, io) as Shape;

/** Above it only the outermost names are shown. */
const MAX_OUTLINE = 130;

/** `{ data: [order] }`; an optional field ends in `?`. */
export function outline(shape: Shape): string {
  const whole = outlineTo(shape, 4);
  return whole.length > MAX_OUTLINE ? outlineTo(shape, 1) : whole;
}

/** Whether `outline` leaves out inner fields. */
export const isCut = (shape: Shape): boolean => outline(shape) !== outlineTo(shape, 4);

function outlineTo(shape: Shape, depth: number): string {
  const entity = findEntity(shape);
  if (entity) return entity;
  if (shape.items) return `[${outlineTo(shape.items, depth)}]`;
  const { properties } = shape;
  if (!properties || depth === 0) return '';
  const fields = Object.entries(properties).map(([name, field]) => {
    const inner = outlineTo(field, depth - 1);
    const label = isRequired(shape, name) ? name : `${name}?`;
    return inner === '' || inner === '[]' ? label : `${label}: ${inner}`;
  });
  return `{ ${fields.join(', ')} }`;
}

/** Of every list; the pages describe them once. */
export const pagingNames: ReadonlySet<string> = new Set(['limit', 'after']);

export const isRequired = ({ required = [] }: Shape, name: string): boolean => required.includes(name);

/** Fields of all alternatives. */
export function listFields(shape: Shape): [name: string, field: Shape, required: boolean][] {
  const alternatives = shape.oneOf ?? shape.anyOf ?? [shape];
  const names = new Set(alternatives.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => {
    const fields = alternatives.flatMap(({ properties = {} }) => properties[name] ?? []);
    const [first = {}] = fields;
    const required = alternatives.every((each) => isRequired(each, name));
    return [
      name,
      new Set(fields.map((field) => JSON.stringify(field))).size > 1 ? { anyOf: fields } : first,
      required,
    ];
  });
}

/** `text of 1 to 120 characters`. */
export function describeType(shape: Shape): string {
  const entity = findEntity(shape);
  if (entity) return entity;
  if (shape.const !== undefined) return `\`${shape.const}\``;
  if (shape.enum) return describeChoice(shape.enum);
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives) return [...new Set(alternatives.map(describeType))].join(' or ');
  if (Array.isArray(shape.type))
    return shape.type.map((type) => describeType({ ...shape, type })).join(' or ');
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
