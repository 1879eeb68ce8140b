import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import {
  startHostedService,
  startS3Storage,
  startStrictS3Storage,
  startStumblingS3Storage,
} from '#test/picture-hosts.ts';
import { checkPictures } from './check-pictures.ts';

async function check(env: Record<string, string>): Promise<string[]> {
  const config = readConfig({ ORIGIN: 'https://parts.example', PAYMENTS: 'sandbox', ...env });
  const findings = await checkPictures({ config, openDatabase: async () => null });
  return findings.map(({ verdict, sentence }) => `${verdict}: ${sentence}`);
}

test('pictures in the local folder need no check', async () => {
  expect(await check({})).toEqual([]);
});

test('the check uses a bucket like the shop and its visitors', async () => {
  const { env, close } = await startStrictS3Storage();
  expect(await check(env)).toEqual([
    `works: Visitors can read what the shop puts into images/ (${env.S3_ENDPOINT}).`,
    `works: The bucket at ${env.S3_ENDPOINT}/pictures keeps files and gives them back.`,
    'works: The bucket removes files.',
  ]);
  await close();
});

test('a bucket with unreadable pictures fails', async () => {
  const { env, close } = await startStrictS3Storage();
  const elsewhere = await check({ ...env, S3_PUBLIC_URL: `http://127.0.0.1:${await freePort()}` });
  expect(elsewhere[0]).toMatch(
    /^fails: Visitors see no pictures: .+images.doctor-.+ does not answer: connect ECONNREFUSED/,
  );
  const closed = await check({ ...env, S3_PUBLIC_URL: `${env.S3_ENDPOINT}/pictures/elsewhere` });
  expect(closed[0]).toMatch(/^fails: Visitors see no pictures: .+ answers 403 without a key/);
  await close();
});

test("a bucket that refuses the shop's requests fails", async () => {
  const { env, close, failures } = await startStumblingS3Storage();
  failures.set('GET', [0, 403]);
  expect(await check(env)).toContain('fails: The key cannot read images/, as it has to (s3:GetObject): 403.');
  failures.set('DELETE', [403]);
  expect(await check(env)).toContainEqual(
    expect.stringMatching(/^fails: The key cannot remove files \(s3:DeleteObject\), images\/doctor-/),
  );
  await close();
});

test('wrong keys and buckets fail', async () => {
  const { env, close } = await startS3Storage();
  const url = `${env.S3_ENDPOINT}/pictures`;
  expect(await check({ ...env, S3_SECRET_ACCESS_KEY: 'another' })).toEqual([
    `fails: The bucket at ${url} answers a new file with 403 SignatureDoesNotMatch.`,
  ]);
  expect(await check({ ...env, S3_BUCKET: 'nowhere' })).toEqual([
    `fails: The bucket at ${env.S3_ENDPOINT}/nowhere answers a new file with 404 NoSuchBucket.`,
  ]);
  await close();
  expect(await check(env)).toEqual([expect.stringMatching(/^fails: The bucket at .+ cannot be used: /)]);
});

test.each([
  ["<Message>the region 'auto' is wrong; expecting 'eu-central-1'</Message>", {}],
  ['<Region>eu-central-1</Region>', {}],
  ['', { 'x-amz-bucket-region': 'eu-central-1' }],
])('the region that the storage expects is reported: %s %o', async (words, headers) => {
  const { env, answerWith, close } = await startHostedService();
  const { origin } = new URL(String(env.IMAGE_HOST_URL));
  const body = `<Error><Code>AuthorizationQueryParametersError</Code>${words}</Error>`;
  answerWith({ status: 400, body, headers });
  const bucket = {
    S3_ENDPOINT: origin,
    S3_BUCKET: 'parts',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  };
  expect(await check(bucket)).toEqual([
    `fails: The bucket at ${origin}/parts answers a new file with 400 AuthorizationQueryParametersError: S3_REGION has to be eu-central-1.`,
  ]);
  await close();
});

test.each([
  [{ status: 400, body: '{"error":{"code":130}}' }, 'works: The image service at .+ takes IMAGE_HOST_KEY'],
  [{ status: 400, body: '{"error":{"code":100}}' }, 'fails: The image service at .+ refuses IMAGE_HOST_KEY'],
  [{ status: 403, body: '' }, 'fails: The image service at .+ refuses IMAGE_HOST_KEY'],
  [{ status: 404, body: '' }, 'fails: The image service at .+ answers an upload with 404'],
  [{ status: 500, body: 'oh no' }, 'fails: The image service at .+ answers an upload with 500'],
  [{ status: 400, body: '{}' }, 'note: The image service at .+ answers; whether it takes the key'],
])('a hosted service that answers %o is judged', async (answer, sentence) => {
  const { env, answerWith, close } = await startHostedService();
  answerWith(answer);
  const said = await check(env);
  expect(said[0]).toMatch(new RegExp(`^${sentence}`));
  expect(said[1]).toMatch(/^note: IMAGE_HOST_ORIGINS has an address without https/);
  expect(said.join()).not.toContain(env.IMAGE_HOST_KEY);
  await close();
});

test('an unreachable hosted service fails', async () => {
  const { env, close } = await startHostedService();
  await close();
  const [said] = await check(env);
  expect(said).toMatch(/^fails: .+ does not answer: connect ECONNREFUSED/);
});
