/** A schema as far as tests look at it. */
interface Schema {
  safeParse(value: unknown): {
    success: boolean;
    data?: unknown;
    error?: { issues: { path: PropertyKey[]; message: string }[] };
  };
}

/** The messages of a refused value by field; empty when it is taken. Several of one field stand together. */
export function refusals(schema: Schema, value: unknown): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(value).error?.issues ?? []) {
    const field = path.join('.');
    messages[field] = field in messages ? `${messages[field]} / ${message}` : message;
  }
  return messages;
}

export const takes = (schema: Schema, value: unknown): boolean => schema.safeParse(value).success;

/** The fields that an object must have. */
export const requiredFields = (schema: Schema): string[] => Object.keys(refusals(schema, {}));

/** Texts of one character less, exactly as many, and one more. */
export const textsAround = (length: number): [string, string, string] => [
  'x'.repeat(length - 1),
  'x'.repeat(length),
  'x'.repeat(length + 1),
];
