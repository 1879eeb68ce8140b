import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { type Env, refusals } from '#test/settings.ts';

test('rendering a picture may take ten seconds or the configured time', () => {
  expect(readConfig({}).pictureTimeoutMs).toBe(10_000);
  expect(readConfig({ PICTURE_TIMEOUT_MS: '4000' }).pictureTimeoutMs).toBe(4000);
  expect(refusals({ PICTURE_TIMEOUT_MS: '0' })).toEqual([
    'PICTURE_TIMEOUT_MS must be a whole number from 100 to 600000.',
  ]);
});

const s3 = {
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'pictures',
  S3_ACCESS_KEY_ID: 'an id',
  S3_SECRET_ACCESS_KEY: 'a secret',
};
const hosted = {
  IMAGE_HOST_URL: 'https://api.images.example/1/upload',
  IMAGE_HOST_KEY: 'a key',
  IMAGE_HOST_ORIGINS: 'https://i.images.example, https://i2.images.example',
};

test('pictures stay on this server by default', () => {
  expect(readConfig({}).pictureStore).toBeNull();
});

test('S3-compatible storage is read with its bucket and public address', () => {
  const config = {
    kind: 's3',
    bucketUrl: 'https://s3.example/pictures',
    region: 'auto',
    accessKeyId: 'an id',
    secretAccessKey: 'a secret',
    publicUrl: 'https://s3.example/pictures',
  };
  expect(readConfig(s3).pictureStore).toEqual(config);
  expect(
    readConfig({ ...s3, S3_REGION: 'eu-central-1', S3_PUBLIC_URL: 'https://cdn.example/' }).pictureStore,
  ).toEqual({ ...config, region: 'eu-central-1', publicUrl: 'https://cdn.example' });
  expect(readConfig({ ...s3, S3_PUBLIC_URL: 'http://cdn.example//' }).pictureStore).toEqual({
    ...config,
    publicUrl: 'http://cdn.example',
  });
});

test('a hosted image service is read with its picture origins', () => {
  expect(readConfig(hosted).pictureStore).toEqual({
    kind: 'hosted',
    url: 'https://api.images.example/1/upload',
    key: 'a key',
    origins: ['https://i.images.example', 'https://i2.images.example'],
  });
});

type Refused = [env: Env, sentence: string];

test.each<Refused>([
  [
    { ...s3, S3_BUCKET: '' },
    'S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY go together: S3_BUCKET is missing.',
  ],
  [
    { IMAGE_HOST_KEY: 'a key' },
    'IMAGE_HOST_URL, IMAGE_HOST_KEY, IMAGE_HOST_ORIGINS go together: IMAGE_HOST_URL, IMAGE_HOST_ORIGINS are missing.',
  ],
  [{ ...s3, ...hosted }, 'S3_ENDPOINT and IMAGE_HOST_URL exclude each other: new pictures go to one place.'],
  [
    { ...s3, S3_ENDPOINT: 'https://s3.example/x' },
    'S3_ENDPOINT must be an origin such as https://shop.example.',
  ],
  ...['No Bucket', 'pictures-', '-pictures', 'p2', 'x'.repeat(64)].map(
    (name): Refused => [{ ...s3, S3_BUCKET: name }, 'S3_BUCKET must be the name of a bucket.'],
  ),
  ...['EU-central-1', 'eu-central-1!', 'x'.repeat(41)].map(
    (region): Refused => [{ ...s3, S3_REGION: region }, 'S3_REGION must be a region.'],
  ),
  ...['cdn.example', 'https://a:b@cdn.example', 'https://a@cdn.example', 'https://:b@cdn.example'].map(
    (address): Refused => [
      { ...s3, S3_PUBLIC_URL: address },
      'S3_PUBLIC_URL must be an address such as https://pictures.example/bucket.',
    ],
  ),
  [
    { ...hosted, IMAGE_HOST_URL: 'ftp://images.example' },
    'IMAGE_HOST_URL must be an address such as https://pictures.example/bucket.',
  ],
  ...['i.images.example', 'https://i.images.example, i2.images.example'].map(
    (origins): Refused => [
      { ...hosted, IMAGE_HOST_ORIGINS: origins },
      'IMAGE_HOST_ORIGINS must be origins such as https://i.example, separated by commas.',
    ],
  ),
])('%j is refused', (env, sentence) => {
  expect(refusals(env)).toEqual([sentence]);
});
