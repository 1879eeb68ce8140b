import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { startHostedService, startS3Storage } from '#test/picture-hosts.ts';
import { checkPictures } from './check-pictures.ts';

const check = (env: Record<string, string>) =>
  checkPictures({ config: readConfig(env), openDatabase: async () => null });

test('pictures in the own folder are a matter of the folder', async () => {
  expect(await check({})).toEqual([]);
});

test('a bucket is tried: a file is kept, given back and removed', async () => {
  const { env, close } = await startS3Storage();
  const url = `${env.S3_ENDPOINT}/pictures`;
  expect(await check(env)).toEqual([
    { verdict: 'works', sentence: `The bucket at ${url} keeps, gives back and removes files.` },
  ]);
  expect(await check({ ...env, S3_SECRET_ACCESS_KEY: 'another' })).toEqual([
    { verdict: 'fails', sentence: `The bucket at ${url} answers a new file with 403.` },
  ]);
  expect(await check({ ...env, S3_BUCKET: 'nowhere' })).toEqual([
    { verdict: 'fails', sentence: `The bucket at ${env.S3_ENDPOINT}/nowhere answers a new file with 404.` },
  ]);
  await close();
  expect(await check(env)).toMatchObject([{ verdict: 'fails' }]);
});

test('a hosted service is asked, and its key is not told', async () => {
  const { env, close } = await startHostedService();
  const [answering] = await check(env);
  expect(answering?.verdict).toBe('note');
  expect(answering?.sentence).not.toContain(env.IMAGE_HOST_KEY);
  await close();
  const [silent] = await check(env);
  expect(silent?.verdict).toBe('fails');
  expect(silent?.sentence).toMatch(/does not answer: connect ECONNREFUSED/);
});
