import { randomBytes } from 'node:crypto';
import { RATING_STEP } from '@parts-forge/contract/calls/bounds';
import { toCents } from '@parts-forge/contract/money/money';
import { buildImageAddress } from '@parts-forge/contract/products/image-variant';
import { addDays } from '@parts-forge/contract/text/days';
import { desc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { insertImages } from '#src/images/store.ts';
import { systemClock } from '#src/platform/core/clock.ts';
import { createTimeOrderedIds } from '#src/platform/core/ids.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { withSetupLock } from '#src/platform/database/migrate.ts';
import type { Platform } from '#src/platform/platform.ts';
import { agreedPrices, quotes } from '#src/prices/schema.ts';
import { products } from '#src/products/schema.ts';
import { notePhoneModels, toBreakRows } from '#src/products/store.ts';
import { reviews } from '#src/reviews/schema.ts';
import { users } from '#src/users/schema.ts';
import { boundTo, type IdentityRef } from '#src/users/store.ts';
import { type CataloguePart, type History, readCatalogue, readHistory, readReviews } from './assets.ts';
import { hasHistory, markSeeded, undoUnfinishedSeeding } from './beginning.ts';
import { createIdAt, insertSales } from './insert-sales.ts';
import { copyDemoPictures, type DemoPictures } from './pictures.ts';

export interface DemoSignIn {
  email: string;
  password: string;
}

interface Services extends Pick<Platform, 'config' | 'database' | 'instanceId'> {
  identity: { takeOver?(person: DemoSignIn & { name: string }, tx: Executor): Promise<IdentityRef> };
}

/** The only demo customer with a sign-in. */
const DEMO_CUSTOMER = 'customer@partsforge.local';
/** So that "newest first" shows the catalogue's order. */
const STEP_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** Age of parts and customers, with a history. */
const BEGIN_DAYS = 61;
/** As old as a history's orders. */
const REVIEW_STEP_MS = 4 * DAY_MS;

/**
 * Fills an empty shop once per database, also with concurrent starts, after the first administrator exists:
 * parts, reviews and ledgers and, for a history, customers, orders and payments. Sends no mail.
 * @param printSignIn receives the sign-in before it is stored, as an unprinted one would be lost
 */
export async function seedDemo(
  services: Services,
  printSignIn: (customer: DemoSignIn) => void = () => {},
): Promise<void> {
  const { config, database } = services;
  await withSetupLock(database, (client) =>
    drizzle(client).transaction(async (tx) => {
      const now = systemClock.now();
      await undoUnfinishedSeeding(tx);
      if (config.seed === 'none' || !(await markSeeded(tx, now))) return;
      const withHistory = hasHistory(config);
      const history = withHistory ? await readHistory() : { customers: [], orders: [], stockMoves: [] };
      const began = new Date(now.getTime() - (withHistory ? BEGIN_DAYS * DAY_MS : 0));
      await insertParts(tx, await copyDemoPictures(config), began);
      await insertReviews(tx, now, withHistory ? REVIEW_STEP_MS : STEP_MS);
      const { userIds, signIn } = await insertCustomers(tx, services, history, began);
      await insertSales(tx, services, history, userIds, now);
      await insertQuotes(tx, userIds, now);
      if (signIn) printSignIn(signIn);
    }),
  );
}

async function insertParts(tx: Executor, pictures: DemoPictures, newest: Date): Promise<void> {
  const images = [...pictures.values()].map((picture) => ({
    ...picture,
    address: buildImageAddress(picture.hash),
    type: 'webp',
  }));
  await insertImages(tx, images);
  const ids = createTimeOrderedIds({ now: () => newest });
  const parts = (await readCatalogue()).map((part, index) => ({
    id: ids.next(),
    ...toPart(part, pictures, new Date(newest.getTime() - index * STEP_MS)),
  }));
  await notePhoneModels(
    tx,
    parts.flatMap(({ fits }) => fits),
  );
  await tx.insert(products).values(parts);
}

const toPart = (
  { slug, price, priceBreaks, ...fields }: CataloguePart,
  pictures: DemoPictures,
  at: Date,
) => ({
  ...fields,
  priceCents: toCents(price),
  priceBreaks: toBreakRows(priceBreaks),
  image: buildImageAddress(pictures.get(slug)?.hash ?? ''),
  createdAt: at,
  updatedAt: at,
});

async function insertReviews(tx: Executor, now: Date, stepMs: number): Promise<void> {
  const ids = createTimeOrderedIds(systemClock);
  const written = await readReviews();
  await tx.insert(reviews).values(
    written.map(({ rating, ...fields }, index) => ({
      id: ids.next(),
      ...fields,
      ratingHalves: rating / RATING_STEP,
      createdAt: new Date(now.getTime() - index * stepMs),
    })),
  );
}

/**
 * Links the reviews with their customers.
 * @returns their ids by email, and the sign-in of one; null with an external identity provider
 */
async function insertCustomers(
  tx: Executor,
  { identity }: Services,
  { customers }: History,
  at: Date,
): Promise<{ userIds: Map<string, string>; signIn: DemoSignIn | null }> {
  if (customers.length === 0) return { userIds: new Map(), signIn: null };
  const signIn = { email: DEMO_CUSTOMER, password: randomBytes(9).toString('base64url') };
  const name = customers.find(({ email }) => email === DEMO_CUSTOMER)?.name ?? '';
  const bound = (await identity.takeOver?.({ ...signIn, name }, tx)) ?? null;
  const rows = customers.map(({ address, ...customer }) => ({
    ...customer,
    id: createIdAt(at),
    ...(customer.email === DEMO_CUSTOMER && bound && { ...boundTo(bound), emailVerified: true }),
    createdAt: at,
    updatedAt: at,
  }));
  await tx.insert(users).values(rows);
  for (const { id, name } of rows) {
    await tx.update(reviews).set({ userId: id }).where(eq(reviews.name, name));
  }
  return { userIds: new Map(rows.map(({ email, id }) => [email, id])), signIn: bound && signIn };
}

/** The demo customer's waits for an answer, another customer's has it. */
async function insertQuotes(tx: Executor, userIds: ReadonlyMap<string, string>, now: Date): Promise<void> {
  const [asking, answered] = [userIds.get(DEMO_CUSTOMER), [...userIds.values()].at(-1)];
  if (!asking || !answered) return;
  const parts = await tx.select().from(products).orderBy(desc(products.createdAt)).limit(3);
  const lines = parts.map(({ id, minimumOrder, priceCents }) => ({
    productId: id,
    quantity: minimumOrder,
    wishedCents: Math.floor(priceCents * 0.92),
  }));
  const asked = { lines, note: 'Weekly from January. Can you hold these for six months?' };
  const quote = { id: createIdAt(now), userId: answered, lines, createdAt: now };
  const until = addDays(now.toISOString().slice(0, 10), 180);
  await tx.insert(quotes).values({ id: createIdAt(now), userId: asking, ...asked, createdAt: now });
  await tx.insert(quotes).values({ ...quote, state: 'answered', until, endedAt: now });
  await tx.insert(agreedPrices).values(
    parts.map(({ id: productId, minimumOrder, priceCents }) => ({
      id: createIdAt(now),
      userId: answered,
      productId,
      fromQuantity: minimumOrder,
      priceCents: Math.floor(priceCents * 0.95),
      until,
      quoteId: quote.id,
      createdAt: now,
    })),
  );
}
