import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { RATING_STEP } from '@parts-forge/contract/calls/bounds';
import { toCents } from '@parts-forge/contract/money/money';
import { buildImageAddress } from '@parts-forge/contract/products/image-variant';
import { drizzle } from 'drizzle-orm/node-postgres';
import { resolvePicturesFolder } from '#src/images/picture-files.ts';
import { insertImages } from '#src/images/store.ts';
import { systemClock } from '#src/platform/core/clock.ts';
import type { Config } from '#src/platform/core/config.ts';
import { createTimeOrderedIds } from '#src/platform/core/ids.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { deleteMetadata, findMetadata } from '#src/platform/database/metadata.ts';
import { withSetupLock } from '#src/platform/database/migrate.ts';
import { metadata } from '#src/platform/database/schema.ts';
import { products } from '#src/products/schema.ts';
import { notePhoneModels } from '#src/products/store.ts';
import { reviews } from '#src/reviews/schema.ts';
import { picturesFolder, readCatalogue, readReviews } from './assets.ts';
import {
  chooseBeginning,
  findUnfinishedSeeding,
  forgetUnfinishedSeeding,
  HISTORY_BEGIN_DAYS,
  type hasHistory,
  noteUnfinishedSeeding,
} from './beginning.ts';

/** So that "newest first" shows the catalogue's order. */
const STEP_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** As old as a history's orders. */
const REVIEW_STEP_MS = 4 * DAY_MS;
/** Marks a database that was seeded or had parts. */
const SEEDED = 'demo_seeded';

/**
 * Fills an empty shop once per database, also with concurrent starts, and restores missing picture files.
 * Nothing is sold before `finishSeeding` writes the ledgers.
 * @param copied a copy of the pictures that started before the database
 */
export async function seedDemo(
  config: Pick<Config, 'dataDir'> & Parameters<typeof hasHistory>[0],
  database: Database,
  copied: Promise<DemoPictures> = copyDemoPictures(config),
): Promise<void> {
  const pictures = await copied;
  if ((await findMetadata(database.db, SEEDED)) !== null) return;
  const catalogue = await readCatalogue();
  const writtenReviews = await readReviews();
  const now = systemClock.now();
  const beginning = chooseBeginning(config) ?? 'catalogue';
  const withHistory = beginning === 'history';
  const newest = now.getTime() - (withHistory ? HISTORY_BEGIN_DAYS * DAY_MS : 0);
  const ids = createTimeOrderedIds({ now: () => new Date(newest) });

  await withSetupLock(database, async (client) => {
    await drizzle(client).transaction(async (tx) => {
      const first = await tx
        .insert(metadata)
        .values({ name: SEEDED, value: now.toISOString() })
        .onConflictDoNothing()
        .returning();
      const [anything] = await tx.select({ id: products.id }).from(products).limit(1);
      if (first.length === 0 || anything) return;

      const images = [...pictures.values()].map((picture) => ({
        ...picture,
        address: buildImageAddress(picture.hash),
        type: 'webp',
      }));
      await insertImages(tx, images);
      const parts = catalogue.map((part, index) => ({
        id: ids.next(),
        ...toPart(part, pictures, new Date(newest - index * STEP_MS)),
      }));
      await notePhoneModels(
        tx,
        parts.flatMap(({ fits }) => fits ?? []),
      );
      await tx.insert(products).values(parts);
      await noteUnfinishedSeeding(tx, { beginning, now });
      const reviewStepMs = withHistory ? REVIEW_STEP_MS : STEP_MS;
      await tx.insert(reviews).values(
        writtenReviews.map(({ rating, ...fields }, index) => ({
          id: ids.next(),
          ...fields,
          ratingHalves: rating / RATING_STEP,
          createdAt: new Date(now.getTime() - index * reviewStepMs),
        })),
      );
    });
  });
}

const toPart = (
  { slug, price, priceBreaks, ...fields }: Awaited<ReturnType<typeof readCatalogue>>[number],
  pictures: DemoPictures,
  at: Date,
) => ({
  ...fields,
  priceCents: toCents(price),
  priceBreaks: priceBreaks.map((each) => ({
    quantity: each.quantity,
    priceCents: toCents(each.price),
  })),
  image: buildImageAddress(pictures.get(slug)?.hash ?? ''),
  createdAt: at,
  updatedAt: at,
});

/** For an interrupted start whose settings have changed. Its pictures stay unused. */
export async function undoOtherSeeding(
  config: Parameters<typeof hasHistory>[0],
  database: Database,
): Promise<void> {
  if ((await findUnfinishedSeeding(database.db)) === null) return;
  const wanted = chooseBeginning(config);
  await withSetupLock(database, (client) =>
    drizzle(client).transaction(async (tx) => {
      const unfinished = await findUnfinishedSeeding(tx);
      if (unfinished === null || unfinished.beginning === wanted) return;
      await tx.delete(reviews);
      await tx.delete(products);
      await deleteMetadata(tx, SEEDED);
      await forgetUnfinishedSeeding(tx);
    }),
  );
}

/** By slug. */
export type DemoPictures = ReadonlyMap<
  string,
  { hash: string; bytes: number; width: number; height: number }
>;

/** Idempotent. */
export async function copyDemoPictures(config: Pick<Config, 'dataDir'>): Promise<DemoPictures> {
  const folder = resolvePicturesFolder(config);
  const slugs = (await readCatalogue()).map(({ slug }) => slug);
  await mkdir(folder, { recursive: true });
  const [present, ready] = await Promise.all([readdir(folder), readdir(picturesFolder)]);
  const presentNames = new Set(present);
  const pictures = new Map<string, { hash: string; bytes: number; width: number; height: number }>();
  for (const slug of slugs) {
    const original = await readFile(path.join(picturesFolder, `${slug}-1280.webp`));
    const hash = createHash('sha256').update(original).digest('hex');
    pictures.set(slug, { hash, bytes: original.length, width: 1000, height: 1000 });
    for (const file of ready.filter((name) => name.startsWith(`${slug}-`))) {
      const name = hash + file.slice(slug.length);
      if (!presentNames.has(name)) await copyFile(path.join(picturesFolder, file), path.join(folder, name));
    }
  }
  return pictures;
}
