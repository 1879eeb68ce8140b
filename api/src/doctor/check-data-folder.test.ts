import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
