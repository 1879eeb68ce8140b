import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Executor } from '#src/platform/database/connection.ts';
import { withSetupLock } from '#src/platform/database/migrate.ts';
import { metadata } from '#src/platform/database/schema.ts';
import type { Platform } from '#src/platform/platform.ts';
import { reviews } from '#src/reviews/schema.ts';
import { users } from '#src/users/schema.ts';
import type { IdentityRef } from '#src/users/store.ts';
import { type History, readHistory } from './assets.ts';
import { HISTORY_BEGIN_DAYS, HISTORY_DUE } from './has-history.ts';
import { insertSales } from './insert-sales.ts';
import { makeIdAt } from './make-id-at.ts';

/** Signs the demonstration's customer in. */
export interface DemoSignIn {
  email: string;
  password: string;
}

interface Needs extends Pick<Platform, 'config' | 'database' | 'instanceId'> {
  identity: { takeOver?(person: DemoSignIn & { name: string }, tx: Executor): Promise<IdentityRef> };
}

/** The customer who can sign in. */
export const DEMO_CUSTOMER = 'customer@partsforge.local';
const DAY_MS = 24 * 3_600_000;

/**
 * Fills a shop that was just seeded with sixty days of customers, orders, payments and stock moves, so that its lists,
 * figures and ledgers can be looked at. Does so once for a database, by one of its processes, after the first
 * administrator was made. No mail is written.
 * @returns the sign-in of the demonstration's customer, which is known only now; null when there was nothing to do
 */
export async function seedHistory(services: Needs): Promise<DemoSignIn | null> {
  const { database, identity } = services;
  const history = await readHistory();
  return withSetupLock(database, (client) =>
    drizzle(client).transaction(async (tx) => {
      const [due] = await tx.delete(metadata).where(eq(metadata.name, HISTORY_DUE)).returning();
      if (!due) return null;
      const now = new Date(due.value);
      const signIn = { email: DEMO_CUSTOMER, password: randomBytes(9).toString('base64url') };
      const name = history.customers.find(({ email }) => email === DEMO_CUSTOMER)?.name ?? '';
      const bound = (await identity.takeOver?.({ ...signIn, name }, tx)) ?? null;
      const userIds = await insertCustomers(tx, history, bound, now);
      await insertSales(tx, services, history, userIds, now);
      return bound && signIn;
    }),
  );
}

/**
 * The customers, who wrote the reviews of their names.
 * @param bound what the one who can sign in is bound to
 * @returns their ids, in their order
 */
async function insertCustomers(
  tx: Executor,
  { customers }: History,
  bound: IdentityRef | null,
  now: Date,
): Promise<string[]> {
  const at = new Date(now.getTime() - HISTORY_BEGIN_DAYS * DAY_MS);
  const rows = customers.map(({ name, email, phone, location, education }) => ({
    id: makeIdAt(at),
    name,
    email,
    phone,
    location,
    education,
    ...(email === DEMO_CUSTOMER &&
      bound && { identityIssuer: bound.issuer, identitySubject: bound.subject, emailVerified: true }),
    createdAt: at,
    updatedAt: at,
  }));
  await tx.insert(users).values(rows);
  for (const { id, name } of rows) {
    await tx.update(reviews).set({ userId: id }).where(eq(reviews.name, name));
  }
  return rows.map(({ id }) => id);
}
