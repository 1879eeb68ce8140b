import type * as z from 'zod/mini';
import { toJsonSchema } from '#src/platform/http/docs/json.ts';
import { findEntity } from './entities.ts';

/** The parts of JSON Schema that outlines use. */
export interface Shape {
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
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

/** Every list has them; the pages describe them once. */
export const pagingNames: ReadonlySet<string> = new Set(['limit', 'after']);

const isRequired = ({ required = [] }: Shape, name: string): boolean => required.includes(name);

/** Fields of all alternatives. */
export function listFields(shape: Shape): [name: string, required: boolean][] {
  const alternatives = shape.oneOf ?? shape.anyOf ?? [shape];
  const names = new Set(alternatives.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => [name, alternatives.every((each) => isRequired(each, name))]);
}
