import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RATING_STEP } from '@parts-forge/contract/bounds';
import { buildImageAddress } from '@parts-forge/contract/image-variant';
import { toCents } from '@parts-forge/contract/money';
import { KINDS } from '@parts-forge/contract/part-rules';
import { drizzle } from 'drizzle-orm/node-postgres';
import * as z from 'zod/mini';
import { resolvePicturesFolder } from '#src/images/picture-files.ts';
import { insertImages } from '#src/images/store.ts';
import { systemClock } from '#src/platform/core/clock.ts';
import type { Config } from '#src/platform/core/config.ts';
import { createTimeOrderedIds } from '#src/platform/core/ids.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { withSetupLock } from '#src/platform/database/migrate.ts';
import { metadata } from '#src/platform/database/schema.ts';
import { products } from '#src/products/schema.ts';
import { reviews } from '#src/reviews/schema.ts';
import { type NewEntry, writeEntry } from '#src/trail/write-entry.ts';

const assets = fileURLToPath(new URL('../../assets/', import.meta.url));
const picturesFolder = path.join(assets, 'products');
/** Between two entries, so that "newest first" gives the catalogue's own order. */
const STEP_MS = 60_000;

const catalogueSchema = z.array(
  z.object({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    price: z.number(),
    quantity: z.int(),
    minimumOrder: z.int(),
    number: z.string(),
    kind: z.enum(KINDS),
    priceBreaks: z.array(z.object({ quantity: z.int(), price: z.number() })),
  }),
);
const reviewsSchema = z.array(z.object({ name: z.string(), rating: z.number(), description: z.string() }));

/**
 * Fills an empty shop with the demonstration catalogue, its pictures and reviews; does so once per database,
 * also when several processes start at the same time, and puts pictures back that are missing in the folder.
 */
export async function seedDemo(config: Pick<Config, 'dataDir'>, database: Database): Promise<void> {
  const catalogue = catalogueSchema.parse(await readJson('catalogue.json'));
  const pictures = await copyPictures(
    resolvePicturesFolder(config),
    catalogue.map(({ slug }) => slug),
  );
  const writtenReviews = reviewsSchema.parse(await readJson('reviews.json'));
  const newest = systemClock.now().getTime();
  const ids = createTimeOrderedIds(systemClock);

  await withSetupLock(database, async (client) => {
    await drizzle(client).transaction(async (tx) => {
      const first = await tx
        .insert(metadata)
        .values({ name: 'demo_seeded', value: new Date(newest).toISOString() })
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
      for (const part of parts) await writeEntry(tx, describeAddition(ids.next(), part));
      await tx.insert(reviews).values(
        writtenReviews.map(({ rating, ...fields }, index) => ({
          id: ids.next(),
          ...fields,
          ratingHalves: rating / RATING_STEP,
          createdAt: new Date(newest - index * STEP_MS),
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

const readJson = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(assets, file), 'utf8'));

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
