import pg from 'pg';
import { expect, test } from 'vitest';
import { explainError } from './say.ts';

const refused = (message: string, code: string) =>
  new Error('Failed query: CREATE SCHEMA IF NOT EXISTS "public"\nparams: ', {
    cause: Object.assign(new pg.DatabaseError(message, 1, 'error'), { code }),
  });

test("a role without rights is explained in PostgreSQL's words", () => {
  expect(explainError(refused('permission denied for database shop', '42501'))).toBe(
    "PostgreSQL refuses what the shop's role may not do: permission denied for database shop.",
  );
});

test('any other failure ends with its cause', () => {
  const explained = explainError(refused('relation "things" already exists', '42P07'));
  expect(explained).toMatch(/^Error: Failed query: CREATE SCHEMA/);
  expect(explained).toMatch(/\nCause: relation "things" already exists$/);
});

test('a failure without a cause is its stack alone', () => {
  const error = new Error('plain');
  expect(explainError(error)).toBe(error.stack);
});
