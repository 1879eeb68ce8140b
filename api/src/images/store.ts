import { eq, getTableColumns, like, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { imageAddresses, images } from './schema.ts';

export type NewImage = typeof images.$inferInsert;
export type StoredImage = typeof images.$inferSelect & { address: string };

/** In one query: a file names thousands. */
export async function findGivenOut(db: Executor, addresses: readonly string[]): Promise<Set<string>> {
  const { address } = imageAddresses;
  const rows = await db
    .select({ address })
    .from(imageAddresses)
    .where(sql`${address} = any (${sql.param([...addresses])}::text[])`);
  return new Set(rows.map((row) => row.address));
}

export async function listAddresses(db: Executor, hash: string): Promise<string[]> {
  const { address } = imageAddresses;
  const rows = await db.select({ address }).from(imageAddresses).where(eq(imageAddresses.hash, hash));
  return rows.map((row) => row.address);
}

export async function listPictures(db: Executor): Promise<StoredImage[]> {
  return db
    .select({ ...getTableColumns(images), address: imageAddresses.address })
    .from(imageAddresses)
    .innerJoin(images, eq(images.hash, imageAddresses.hash));
}

export async function insertImages(
  db: Executor,
  pictures: readonly (NewImage & { address: string })[],
): Promise<void> {
  await db
    .insert(images)
    .values([...pictures])
    .onConflictDoNothing();
  const addresses = pictures.map(({ address, hash }) => ({ address, hash }));
  await db.insert(imageAddresses).values(addresses).onConflictDoNothing();
}

/** Of pictures outside this server's folder. */
export async function listAddressOrigins(db: Executor): Promise<string[]> {
  const origin = sql<string>`substring(${imageAddresses.address} from '^https?://[^/]+')`;
  const rows = await db
    .selectDistinct({ origin })
    .from(imageAddresses)
    .where(like(imageAddresses.address, 'http%'));
  return rows.map((row) => row.origin);
}
