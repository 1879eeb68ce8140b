import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { removeAbandonedOriginals, saveOriginal, withOriginalFile } from './original-file.ts';

const piece = (text: string) => Buffer.from(text);
const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

test('a file is written in order, each piece before the next', async () => {
  const sizes: number[] = [];
  await withOriginalFile(async (file) => {
    async function* pieces() {
      for (const text of ['one', 'three', 'seven']) {
        sizes.push((await stat(file)).size);
        yield piece(text);
      }
    }
    const hash = createHash('sha256').update('onethreeseven').digest('hex');
    expect(await saveOriginal(file, pieces())).toEqual({ file, hash, bytes: 13 });
    expect(await readFile(file, 'utf8')).toBe('onethreeseven');
  });
  expect(sizes).toEqual([0, 3, 8]);
});

test('the file is deleted after success and after any failure', async () => {
  const files: string[] = [];
  await withOriginalFile(async (file) => {
    files.push(file);
    await saveOriginal(file, [piece('whole')]);
    expect(await exists(file)).toBe(true);
  });
  const work = withOriginalFile(async (file) => {
    files.push(file);
    await saveOriginal(file, [piece('whole')]);
    throw new Error('no picture');
  });
  await expect(work).rejects.toThrow('no picture');
  async function* breakOff() {
    yield piece('half');
    throw new Error('gone');
  }
  const sent = withOriginalFile((file) => {
    files.push(file);
    return saveOriginal(file, breakOff());
  });
  await expect(sent).rejects.toThrow('gone');
  expect(await Promise.all(files.map(exists))).toEqual([false, false, false]);
});

test('a write failure is reported as unavailable', async () => {
  const saved = withOriginalFile((file) => saveOriginal(`${file}/nowhere`, [piece('whole')]));
  await expect(saved).rejects.toMatchObject({ code: 'unavailable' });
});

test('a start deletes the files of ended processes alone', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'originals-'));
  vi.stubEnv('TMPDIR', folder);
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const nameOf = (pid: number) => `parts-forge-upload-${pid}-${randomUUID()}`;
  const running = nameOf(process.ppid);
  for (const name of [nameOf(ended), nameOf(process.pid), running, 'parts-forge-upload-notes']) {
    await writeFile(path.join(folder, name), '');
  }
  await removeAbandonedOriginals();
  expect(await readdir(folder)).toEqual([running, 'parts-forge-upload-notes'].sort());
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});
