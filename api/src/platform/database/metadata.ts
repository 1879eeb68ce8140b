import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Executor } from './connection.ts';
import { metadata } from './schema.ts';

/** The first process stores the value. */
export async function ensureMetadata(db: Executor, name: string, make: () => string): Promise<string> {
  const [row] = await db
    .insert(metadata)
    .values({ name, value: make() })
    .onConflictDoUpdate({ target: metadata.name, set: { value: sql`${metadata.value}` } })
    .returning({ value: metadata.value });
  if (!row) throw new Error(`The value of ${name} could not be stored.`);
  return row.value;
}

export async function findMetadata(db: Executor, name: string): Promise<string | null> {
  const [row] = await db.select({ value: metadata.value }).from(metadata).where(eq(metadata.name, name));
  return row?.value ?? null;
}

export async function setMetadata(db: Executor, name: string, value: string): Promise<void> {
  await db
    .insert(metadata)
    .values({ name, value })
    .onConflictDoUpdate({ target: metadata.name, set: { value } });
}

export async function deleteMetadata(db: Executor, name: string): Promise<boolean> {
  const removed = await db.delete(metadata).where(eq(metadata.name, name)).returning({ name: metadata.name });
  return removed.length > 0;
}

export const ensureSecret = (db: Executor, name: string) =>
  ensureMetadata(db, name, () => randomBytes(32).toString('base64url'));
