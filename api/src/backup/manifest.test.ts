import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readManifest, writeManifest } from './manifest.ts';

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parts-forge-backup-'));
  mkdirSync(join(folder, 'images'));
  writeFileSync(join(folder, 'acts.tsv'), 'rows');
  writeFileSync(join(folder, 'images', 'a.webp'), 'picture');
  const madeAt = '2026-03-01T03:00:00.000Z';
  await writeManifest(folder, { kind: 'rows', madeAt, postgres: 18, migrations: 2 });
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the manifest of an unchanged backup is readable', async () => {
  expect(await readManifest(folder)).toMatchObject({
    format: 1,
    kind: 'rows',
    migrations: 2,
    files: [
      { path: 'acts.tsv', bytes: 4 },
      { path: 'images/a.webp', bytes: 7 },
    ],
  });
});

const damages: [what: string, damage: () => void, sentence: RegExp][] = [
  [
    'without its manifest',
    () => rmSync(join(folder, 'backup.json')),
    /no backup, or one that was not finished/,
  ],
  [
    'with half a manifest',
    () =>
      writeFileSync(join(folder, 'backup.json'), readFileSync(join(folder, 'backup.json')).subarray(0, 99)),
    /backup\.json is damaged/,
  ],
  ['that lacks a file', () => rmSync(join(folder, 'images', 'a.webp')), /lacks a file: images\/a\.webp/],
  [
    'with a file of other bytes, as many as before',
    () => writeFileSync(join(folder, 'images', 'a.webp'), 'Picture'),
    /damaged: images\/a\.webp is not as it was written/,
  ],
  ['with a file too many', () => writeFileSync(join(folder, 'b'), ''), /not made with: b$/],
];
test.each(damages)('a backup %s is refused', async (_what, damage, sentence) => {
  damage();
  await expect(readManifest(folder)).rejects.toThrow(sentence);
});

test.each(['../secret', '/etc/passwd', 'images/../../secret', './x', 'images\\..\\secret'])(
  'a manifest with the outside path %s is refused',
  async (path) => {
    const file = join(folder, 'backup.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    manifest.files.push({ path, bytes: 0, sha256: '' });
    writeFileSync(file, JSON.stringify(manifest));
    await expect(readManifest(folder)).rejects.toThrow(/backup\.json is damaged/);
  },
);
