import * as z from 'zod/mini';

export type Json = Record<string, unknown>;

/** Refinements that JSON Schema cannot say are left to the descriptions. */
export function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}

/** The named headers of the document's components. */
export const refHeaders = (names: readonly string[]): Json =>
  names.length === 0
    ? {}
    : {
        headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
      };
