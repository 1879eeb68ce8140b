import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeMissingLinks } from './native-links.ts';

function aPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-postgres-test-links-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'native', 'lib'), { recursive: true });
  writeFileSync(join(folder, 'native', 'lib', 'libicuuc.so.60.2'), 'the library');
  const links = [
    { source: 'native/lib/libicuuc.so.60.2', target: 'native/lib/libicuuc.so' },
    { source: 'native/lib/libicuuc.so.60.2', target: 'native/lib/libicuuc.so.60' },
  ];
  writeFileSync(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  return folder;
}

test('missing library links are created', () => {
  const folder = aPackage();
  makeMissingLinks(folder);
  for (const name of ['libicuuc.so', 'libicuuc.so.60']) {
    expect(readlinkSync(join(folder, 'native', 'lib', name))).toBe('libicuuc.so.60.2');
    expect(readFileSync(join(folder, 'native', 'lib', name), 'utf8')).toBe('the library');
  }
});

test('existing links stay unchanged, and a repeat changes nothing', () => {
  const folder = aPackage();
  symlinkSync(
    join(folder, 'native', 'lib', 'libicuuc.so.60.2'),
    join(folder, 'native', 'lib', 'libicuuc.so'),
  );
  makeMissingLinks(folder);
  makeMissingLinks(folder);
  expect(readlinkSync(join(folder, 'native', 'lib', 'libicuuc.so'))).toContain(folder);
  expect(readlinkSync(join(folder, 'native', 'lib', 'libicuuc.so.60'))).toBe('libicuuc.so.60.2');
});

test('a package without a list of links needs none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-postgres-test-links-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(() => makeMissingLinks(folder)).not.toThrow();
});
