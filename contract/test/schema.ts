/** The parts of a schema that tests use. */
interface Schema {
  safeParse(value: unknown): {
    success: boolean;
    data?: unknown;
    error?: { issues: { path: PropertyKey[]; message: string }[] };
  };
}

/** Messages of a refused value by field, joined where there are several; empty when it is accepted. */
export function refusals(schema: Schema, value: unknown): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(value).error?.issues ?? []) {
    const field = path.join('.');
    messages[field] = field in messages ? `${messages[field]} / ${message}` : message;
  }
  return messages;
}

export const takes = (schema: Schema, value: unknown): boolean => schema.safeParse(value).success;

/** Required fields of an object. */
export const requiredFields = (schema: Schema): string[] => Object.keys(refusals(schema, {}));

/** Texts of one character less, exactly as many, and one more. */
export const textsAround = (length: number): [string, string, string] => [
  'x'.repeat(length - 1),
  'x'.repeat(length),
  'x'.repeat(length + 1),
];
