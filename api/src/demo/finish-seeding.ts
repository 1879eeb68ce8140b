import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { SYSTEM } from '#src/platform/core/request-context.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { withSetupLock } from '#src/platform/database/migrate.ts';
import type { Platform } from '#src/platform/platform.ts';
import { products } from '#src/products/schema.ts';
import { reviews } from '#src/reviews/schema.ts';
import { trail } from '#src/trail/schema.ts';
import { users } from '#src/users/schema.ts';
import type { IdentityRef } from '#src/users/store.ts';
import { type History, readHistory } from './assets.ts';
import { findUnfinishedSeeding, forgetUnfinishedSeeding, HISTORY_BEGIN_DAYS } from './beginning.ts';
import { insertSales } from './insert-sales.ts';
import { buildEntry } from './list-entries.ts';
import { makeIdAt } from './make-id-at.ts';

export interface DemoSignIn {
  email: string;
  password: string;
}

interface Needs extends Pick<Platform, 'config' | 'database' | 'instanceId'> {
  identity: { takeOver?(person: DemoSignIn & { name: string }, tx: Executor): Promise<IdentityRef> };
}

/** The only demo customer with a sign-in. */
export const DEMO_CUSTOMER = 'customer@partsforge.local';
const DAY_MS = 24 * 3_600_000;

/**
 * Runs once per database, after the first administrator exists: writes ledgers and, for a history, customers,
 * orders, payments and stock changes. Sends no mail.
 * @param printSignIn receives the sign-in before it is stored, as an unprinted one would be lost
 */
export async function finishSeeding(
  services: Needs,
  printSignIn: (customer: DemoSignIn) => void = () => {},
): Promise<void> {
  const { database } = services;
  const history = await readHistory();
  await withSetupLock(database, (client) =>
    drizzle(client).transaction(async (tx) => {
      const seeding = await findUnfinishedSeeding(tx);
      if (!seeding) return;
      await forgetUnfinishedSeeding(tx);
      if (seeding.beginning === 'catalogue') return beginLedgers(tx);
      const customer = await insertHistory(tx, services, history, seeding.now);
      if (customer) printSignIn(customer);
    }),
  );
}

/** @returns null with an external identity provider */
async function insertHistory(
  tx: Executor,
  services: Needs,
  history: History,
  now: Date,
): Promise<DemoSignIn | null> {
  const signIn = { email: DEMO_CUSTOMER, password: randomBytes(9).toString('base64url') };
  const name = history.customers.find(({ email }) => email === DEMO_CUSTOMER)?.name ?? '';
  const bound = (await services.identity.takeOver?.({ ...signIn, name }, tx)) ?? null;
  const userIds = await insertCustomers(tx, history, bound, now);
  await insertSales(tx, services, history, userIds, now);
  return bound && signIn;
}

/** For shops without a history. */
async function beginLedgers(tx: Executor): Promise<void> {
  const { id, quantity, createdAt } = products;
  const parts = await tx.select({ id, quantity, createdAt }).from(products);
  const entries = parts.map((part) =>
    buildEntry(part.createdAt, 'product-added', SYSTEM, { productId: part.id, stockChange: part.quantity }),
  );
  await tx.insert(trail).values(entries);
}

/**
 * Links the reviews with their customers.
 * @param bound identity of the customer who can sign in
 * @returns their ids in order
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
