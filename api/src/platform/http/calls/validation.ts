import { type FieldError, problems } from '@parts-forge/contract/problems';
import type * as z from 'zod/mini';
import { Problem } from '#src/platform/core/problem.ts';

/** @throws Problem `invalid` with every violation */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue): FieldError[] => {
    // One issue lists all unknown fields.
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : null;
    return (paths ?? [issue.path]).map((path) => ({
      path: path.map(String).join('.'),
      message: paths ? 'Is not a field of this call' : issue.message,
    }));
  });
  throw new Problem('invalid', {
    detail: errors[0]?.message ?? problems.invalid.title,
    errors,
  });
}

const describeIssue = ({ code, input }: { code?: string; input?: unknown }) =>
  code === 'invalid_type' && input === undefined ? 'Is required' : 'Is not of the right kind';
