import { inspect } from 'node:util';
import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { hideParameters } from './hide-parameters.ts';

test('a printed statement error shows its text and reason but no values', () => {
  hideParameters();
  const cause = Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
    code: '23505',
    detail: 'Key (lower(email))=(amara@fieldrepair.example) already exists.',
  });
  const failed = new DrizzleQueryError('insert into users values ($1)', ['amara\nokafor'], cause);
  for (const printed of [inspect(failed), inspect({ failed }), inspect([failed], { depth: 9 })]) {
    expect(printed).toContain('insert into users');
    expect(printed).toContain('23505');
    expect(printed).not.toMatch(/amara|okafor/);
  }
});
