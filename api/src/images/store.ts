import { eq, getTableColumns, like, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { imageAddresses, imageNames, images } from './schema.ts';

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

/** @param name of the sent file */
export async function nameImage(db: Executor, name: string, hash: string): Promise<void> {
  const row = { name: name.slice(-MAX_FILE_NAME).toLowerCase(), hash };
  await db.insert(imageNames).values(row).onConflictDoUpdate({ target: imageNames.name, set: { hash } });
}
const MAX_FILE_NAME = 200;

/** Addresses by names of sent files, with or without an ending, in any case. */
export async function findNamed(db: Executor, names: readonly string[]): Promise<Map<string, string>> {
  const folded = sql`any (${sql.param(names.map((name) => name.toLowerCase()))}::text[])`;
  const stem = sql<string>`regexp_replace(${imageNames.name}, '[.][a-z]+$', '')`;
  const { address, hash } = imageAddresses;
  const rows = await db
    .select({ name: imageNames.name, stem, address })
    .from(imageNames)
    .innerJoin(imageAddresses, eq(hash, imageNames.hash))
    .where(sql`${imageNames.name} = ${folded} or ${stem} = ${folded}`);
  const found = new Map(
    rows.flatMap((row) => [
      [row.stem, row.address],
      [row.name, row.address],
    ]),
  );
  return new Map(
    names.flatMap((name) => {
      const address = found.get(name.toLowerCase());
      return address === undefined ? [] : [[name, address]];
    }),
  );
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

/** Lists the origins of pictures outside this server's folder. */
export async function listAddressOrigins(db: Executor): Promise<string[]> {
  const origin = sql<string>`substring(${imageAddresses.address} from '^https?://[^/]+')`;
  const rows = await db
    .selectDistinct({ origin })
    .from(imageAddresses)
    .where(like(imageAddresses.address, 'http%'));
  return rows.map((row) => row.origin);
}
