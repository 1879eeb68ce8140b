import { execFile } from 'node:child_process';
import { cpSync, globSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeDataFolder } from './data-folder.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const installation = [
  '{.,api,contract,web,packages/*}/package.json',
  'package-lock.json',
  '.npmrc',
  'scripts/*.mjs',
];

/** Megabytes of 10^6 bytes, by file size. */
export interface InstalledResult {
  all: number;
  /** 0 when the machine's own Node is used. */
  node: number;
  packages: number;
}

/** Files that `npm start` adds to an empty project. */
export async function measureInstalled(): Promise<InstalledResult> {
  const project = makeDataFolder();
  try {
    for (const file of globSync(installation, { cwd: root }))
      cpSync(join(root, file), join(project.path, file));
    const setUp = "import('./scripts/set-up.mjs').then(({ setUp }) => setUp({ build: false }))";
    await promisify(execFile)(process.execPath, ['-e', setUp], { cwd: project.path });
    const workspaces = globSync('{.,api,contract,web,packages/*}/package.json', { cwd: project.path });
    return measureFiles(
      workspaces.flatMap((file) => listFiles(join(project.path, dirname(file), 'node_modules'))),
    );
  } finally {
    await project.remove();
  }
}

interface InstalledFile {
  path: string;
  bytes: number;
}

function measureFiles(files: readonly InstalledFile[]): InstalledResult {
  const isOfNode = ({ path }: InstalledFile) => /node_modules\/node-(bin-)?(linux|darwin|win)-/.test(path);
  return {
    all: sumMegabytes(files),
    node: sumMegabytes(files.filter(isOfNode)),
    packages: files.filter(({ path }) => /node_modules\/(@[^/]+\/)?[^@/]+\/package\.json$/.test(path)).length,
  };
}

const sumMegabytes = (files: readonly InstalledFile[]) =>
  Math.round(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6);

/** Ignores links, such as the project's own packages. */
function listFiles(folder: string): InstalledFile[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: lstatSync(path).size }));
}
