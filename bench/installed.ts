import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const workspaces = ['.', 'api', 'contract', 'web', 'packages/card-sandbox', 'packages/embedded-postgres'];

/** Megabytes of 10^6 bytes of the files that are installed, whatever the file system takes for them. */
export interface InstalledResult {
  all: number;
  /** Of it the Node that comes along; 0 where this machine needs none of its own. */
  node: number;
  packages: number;
}

/** How much is in the folders that npm fills. */
export async function measureInstalled(): Promise<InstalledResult> {
  const folders = workspaces.map((name) => join(root, name, 'node_modules'));
  const lists = folders.map(listFiles);
  const files = lists.flat();
  const isOfNode = ({ path }: InstalledFile) => /node_modules\/node-(bin-)?(linux|darwin|win)-/.test(path);
  return {
    all: sumMegabytes(files),
    node: sumMegabytes(files.filter(isOfNode)),
    packages: files.filter(({ path }) => /node_modules\/(@[^/]+\/)?[^@/]+\/package\.json$/.test(path)).length,
  };
}

interface InstalledFile {
  path: string;
  bytes: number;
}

const sumMegabytes = (files: readonly InstalledFile[]) =>
  Math.round(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6);

/** Links, such as the ones to our own packages, are not followed. */
function listFiles(folder: string): InstalledFile[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: lstatSync(path).size }));
}
