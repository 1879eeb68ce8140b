import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { checkDataFolder, judgeSpace } from './check-data-folder.ts';

test('free space is judged as enough, little or too little', () => {
  expect(judgeSpace(2e9, '/srv')).toEqual({ verdict: 'works', sentence: '2.0 GB are free at /srv.' });
  expect(judgeSpace(1.9e9, '/srv').verdict).toBe('note');
  expect(judgeSpace(0.2e9, '/srv').verdict).toBe('note');
  expect(judgeSpace(0.19e9, '/srv').verdict).toBe('fails');
});

test('the write check leaves no file in the folder', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parts-forge-folder-'));
  const config = readConfig({ DATA_DIR: dataDir });
  const [said] = await checkDataFolder({ config, openDatabase: async () => null });
  expect(said).toEqual({ verdict: 'works', sentence: `DATA_DIR ${dataDir} can be written.` });
  expect(readdirSync(dataDir)).toEqual([]);
  rmSync(dataDir, { recursive: true });
});

test.runIf(process.getuid?.() === 0)('root learns what the service may not read', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parts-forge-folder-'));
  const logo = path.join(folder, 'logo.svg');
  const dataDir = path.join(folder, 'data');
  writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>');
  const config = readConfig({ DATA_DIR: dataDir, SHOP_LOGO: logo });
  const read = async () => (await checkDataFolder({ config, openDatabase: async () => null })).slice(1, -1);
  expect(await read()).toEqual([
    {
      verdict: 'note',
      sentence: `${logo} can be read by root alone: a service with a user of its own does not start.`,
    },
  ]);
  mkdirSync(path.join(dataDir, 'images'), { recursive: true, mode: 0o700 });
  expect(await read()).toEqual([]);
  chownSync(dataDir, 54321, 54321);
  expect(await read()).toEqual(
    [logo, path.join(dataDir, 'images')].map((file) => ({
      verdict: 'fails',
      sentence: `${file} cannot be read by user 54321, who owns DATA_DIR and runs the service.`,
    })),
  );
  rmSync(folder, { recursive: true });
});
