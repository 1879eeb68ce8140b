import { type FieldError, problems } from '@parts-forge/contract/problems';
import type * as z from 'zod/mini';
import { Problem } from '#src/platform/core/problem.ts';

/**
 * The value as the schema gives it.
 * @throws Problem `invalid` with every breach, in the specification's words where it has any
 */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const errors: FieldError[] = parsed.error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.message,
  }));
  throw new Problem('invalid', {
    detail: errors[0]?.message ?? problems.invalid.title,
    errors,
  });
}

/** For breaches that the schema has no words for. */
const describeIssue = ({ code, input }: { code?: string; input?: unknown }) =>
  code === 'invalid_type' && input === undefined ? 'Is required' : 'Is not of the right kind';
