import type { FieldError } from '@parts-forge/contract/calls/problem-body';
import { problems } from '@parts-forge/contract/calls/problems';
import { closestMatch } from 'leven';
import type * as z from 'zod/mini';
import { Problem } from '#src/platform/core/problem.ts';

/** A body of 64 KiB can have thousands. */
const MAX_UNKNOWN_FIELDS = 20;
const MAX_SHOWN_NAME = 60;

/** @throws Problem `invalid` with every violation, and the first unknown fields */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  // A finished issue no longer has its schema.
  const knownFields = new Map<readonly string[], string[]>();
  const parsed = schema.safeParse(value, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return describeIssue(issue);
      knownFields.set(issue.keys, Object.keys((issue.inst as z.ZodMiniObject | undefined)?.shape ?? {}));
      return undefined;
    },
  });
  if (parsed.success) return parsed.data;
  const unknown: FieldError[] = [];
  const violations: FieldError[] = [];
  for (const issue of parsed.error.issues) {
    if (issue.code !== 'unrecognized_keys') {
      violations.push({ path: joinPath(issue.path), message: issue.message });
      continue;
    }
    for (const key of issue.keys.slice(0, MAX_UNKNOWN_FIELDS - unknown.length)) {
      const name = key.slice(0, MAX_SHOWN_NAME).toWellFormed();
      const meant = findNearest(name, knownFields.get(issue.keys) ?? []);
      unknown.push({
        path: joinPath([...issue.path, name]),
        message: `Unknown field \`${name}\`${meant === undefined ? '' : `, did you mean \`${meant}\`?`}`,
      });
    }
  }
  // A misspelled field is also a missing one; its own sentence says more.
  const errors = [...unknown, ...violations];
  throw new Problem('invalid', { detail: errors[0]?.message ?? problems.invalid.title, errors });
}

const joinPath = (path: readonly PropertyKey[]) => path.map(String).join('.');

function describeIssue({ code, input, expected }: { code?: string; input?: unknown; expected?: unknown }) {
  if (code !== 'invalid_type') return 'Is not of the right kind';
  return input === undefined ? 'Is required' : `Must be of type ${expected}`;
}

/** At most two wrong letters, and fewer than half of the name. */
function findNearest(name: string, known: readonly string[]): string | undefined {
  const maxDistance = Math.min(2, Math.ceil(name.length / 2) - 1);
  const lower = known.map((field) => field.toLowerCase());
  return known[lower.indexOf(closestMatch(name.toLowerCase(), lower, { maxDistance }) ?? '')];
}
