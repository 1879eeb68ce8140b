import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { RATING_STEP } from '@parts-forge/contract/bounds';
import { buildImageAddress } from '@parts-forge/contract/image-variant';
import { toCents } from '@parts-forge/contract/money';
import { drizzle } from 'drizzle-orm/node-postgres';
import { resolvePicturesFolder } from '#src/images/picture-files.ts';
import { insertImages } from '#src/images/store.ts';
import { systemClock } from '#src/platform/core/clock.ts';
import type { Config } from '#src/platform/core/config.ts';
import { createTimeOrderedIds } from '#src/platform/core/ids.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { setMetadata } from '#src/platform/database/metadata.ts';
import { withSetupLock } from '#src/platform/database/migrate.ts';
import { metadata } from '#src/platform/database/schema.ts';
import { products } from '#src/products/schema.ts';
import { reviews } from '#src/reviews/schema.ts';
import { type NewEntry, writeEntry } from '#src/trail/write-entry.ts';
import { picturesFolder, readCatalogue, readReviews } from './assets.ts';
import { HISTORY_BEGIN_DAYS, HISTORY_DUE, hasHistory } from './has-history.ts';

/** Between two entries, so that "newest first" gives the catalogue's own order. */
const STEP_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** Between two reviews of a shop with a history, which are as old as its orders. */
const REVIEW_STEP_MS = 4 * DAY_MS;

/**
 * Fills an empty shop with the demonstration catalogue, its pictures and reviews; does so once per database,
 * also when several processes start at the same time, and puts pictures back that are missing in the folder.
 * Where there is to be a history its beginning is prepared: `seedHistory` makes it when there is an administrator.
 */
export async function seedDemo(
  config: Pick<Config, 'dataDir'> & Parameters<typeof hasHistory>[0],
  database: Database,
): Promise<void> {
  const catalogue = await readCatalogue();
  const pictures = await copyPictures(
    resolvePicturesFolder(config),
    catalogue.map(({ slug }) => slug),
  );
  const writtenReviews = await readReviews();
  const now = systemClock.now();
  const withHistory = hasHistory(config);
  const newest = now.getTime() - (withHistory ? HISTORY_BEGIN_DAYS * DAY_MS : 0);
  const ids = createTimeOrderedIds({ now: () => new Date(newest) });

  await withSetupLock(database, async (client) => {
    await drizzle(client).transaction(async (tx) => {
      const first = await tx
        .insert(metadata)
        .values({ name: 'demo_seeded', value: now.toISOString() })
        .onConflictDoNothing()
        .returning();
      const [anything] = await tx.select({ id: products.id }).from(products).limit(1);
      if (first.length === 0 || anything) return;

      await insertImages(
        tx,
        [...pictures.values()].map((picture) => ({
          ...picture,
          address: buildImageAddress(picture.hash),
          type: 'webp',
        })),
      );
      const parts = catalogue.map(({ slug, price, priceBreaks, ...fields }, index) => {
        const at = new Date(newest - index * STEP_MS);
        return {
          id: ids.next(),
          ...fields,
          priceCents: toCents(price),
          priceBreaks: priceBreaks.map((each) => ({
            quantity: each.quantity,
            priceCents: toCents(each.price),
          })),
          image: buildImageAddress(pictures.get(slug)?.hash ?? ''),
          createdAt: at,
          updatedAt: at,
        };
      });
      await tx.insert(products).values(parts);
      // The history knows how many pieces there were at its beginning.
      if (withHistory) await setMetadata(tx, HISTORY_DUE, now.toISOString());
      else for (const part of parts) await writeEntry(tx, describeAddition(ids.next(), part));
      await tx.insert(reviews).values(
        writtenReviews.map(({ rating, ...fields }, index) => ({
          id: ids.next(),
          ...fields,
          ratingHalves: rating / RATING_STEP,
          createdAt: new Date(now.getTime() - index * (withHistory ? REVIEW_STEP_MS : STEP_MS)),
        })),
      );
    });
  });
}

const describeAddition = (id: string, part: { id: string; quantity: number; createdAt: Date }): NewEntry => ({
  id,
  now: part.createdAt,
  event: 'product-added',
  productId: part.id,
  stockChange: part.quantity,
});

/** Copies the ready sizes of each part's picture to where the image host looks for them. */
async function copyPictures(folder: string, slugs: string[]) {
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
