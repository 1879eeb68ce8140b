import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { StartError } from '#src/platform/core/start-error.ts';

/** A `/` path inside the backup's folder. */
const relativePath = z.string().check(z.regex(/^(?!\.{0,2}\/)(?!.*\/\.{1,2}\/)[^\\]+$/));
const manifestSchema = z.object({
  format: z.literal(1),
  kind: z.literal('rows'),
  madeAt: z.iso.datetime(),
  /** The major version of PostgreSQL. */
  postgres: z.int(),
  /** The number of applied migrations. */
  migrations: z.int(),
  files: z.array(z.object({ path: relativePath, bytes: z.int(), sha256: z.string() })),
});

/** The content of `backup.json`. */
export type Manifest = z.output<typeof manifestSchema>;

const NAME = 'backup.json';

/** Hashes the written bytes. Written last: a folder without it is no backup. */
export async function writeManifest(
  folder: string,
  facts: Omit<Manifest, 'format' | 'files'>,
): Promise<Manifest> {
  const files: Manifest['files'] = [];
  for (const file of await listFiles(folder)) files.push({ path: file, ...(await readFacts(folder, file)) });
  const manifest: Manifest = { format: 1, ...facts, files };
  const unfinished = path.join(folder, `${NAME}.unfinished`);
  await writeFile(unfinished, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true });
  await rename(unfinished, path.join(folder, NAME));
  return manifest;
}

/**
 * Compares every file with the manifest.
 * @throws StartError for a missing, damaged or changed backup
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, NAME);
  if (!existsSync(file)) {
    throw new StartError(`${folder} is no backup, or one that was not finished: it has no ${NAME}.`);
  }
  const parsed = manifestSchema.safeParse(await readJson(file));
  if (!parsed.success)
    throw new StartError(`${file} is damaged, or was written by another version of the shop.`);
  const known = new Map(parsed.data.files.map((entry) => [entry.path, entry]));
  const present = (await listFiles(folder)).filter((name) => name !== NAME);
  const isPresent = new Set(present);
  const unknown = present.find((name) => !known.has(name));
  if (unknown) throw new StartError(`The backup has a file that it was not made with: ${unknown}`);
  for (const { path: name, bytes, sha256 } of known.values()) {
    if (!isPresent.has(name)) throw new StartError(`The backup lacks a file: ${name}`);
    const facts = await readFacts(folder, name);
    if (facts.bytes !== bytes || facts.sha256 !== sha256) {
      throw new StartError(`The backup is damaged: ${name} is not as it was written.`);
    }
  }
  return parsed.data;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** `/` paths, in the same order on every system. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

async function readFacts(folder: string, name: string): Promise<{ bytes: number; sha256: string }> {
  const file = path.join(folder, name);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') };
}
