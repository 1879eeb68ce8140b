import * as z from 'zod/mini';
import {
  type CrossCheck,
  crossCheck,
  isOrigin,
  matching,
  milliseconds,
  originText,
  type SettingsGroup,
  secret,
  setting,
  splitList,
  type Values,
} from './setting.ts';

export interface S3StoreConfig {
  kind: 's3';
  /** In path style: `https://s3.example/bucket`. */
  bucketUrl: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Without a trailing slash. */
  publicUrl: string;
}

export interface HostedStoreConfig {
  kind: 'hosted';
  url: string;
  key: string;
  origins: string[];
}

/** Without credentials, query or fragment. */
const address = () =>
  z.string().check(z.refine(isAddress, 'must be an address such as https://pictures.example/bucket.'));
const origins = () =>
  z
    .string()
    .check(
      z.refine(
        (text) => splitList(text).every(isOrigin),
        'must be origins such as https://i.example, separated by commas.',
      ),
    );

const settings = {
  PICTURE_TIMEOUT_MS: setting(
    'How long (ms) one uploaded picture may take to convert.',
    z._default(milliseconds(), 10_000),
  ),
  S3_ENDPOINT: setting(
    'Origin of the S3-compatible storage for new pictures. Requires `S3_BUCKET` and the two keys. Without them pictures stay in `DATA_DIR`.',
    z.optional(originText()),
  ),
  S3_BUCKET: setting(
    'Bucket for the pictures. The keys must be able to read, write and delete in it.',
    z.optional(matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket.')),
  ),
  S3_REGION: setting(
    'Region of the bucket; `auto` for storage without regions, such as Cloudflare R2.',
    z._default(matching(/^[a-z0-9-]{1,40}$/, 'must be a region.'), 'auto'),
  ),
  S3_ACCESS_KEY_ID: secret('Id of the access key.', z.optional(z.string())),
  S3_SECRET_ACCESS_KEY: secret('Secret of the access key.', z.optional(z.string())),
  S3_PUBLIC_URL: setting(
    'Address from which browsers load the bucket, such as a CDN; the default is `S3_ENDPOINT/S3_BUCKET`.',
    z.optional(address()),
  ),
  IMAGE_HOST_URL: setting(
    'Address of a hosted image service for new pictures. The shop posts the multipart field `image` with the key in the query and reads `data.url` of the response. Requires `IMAGE_HOST_KEY` and `IMAGE_HOST_ORIGINS`.',
    z.optional(address()),
  ),
  IMAGE_HOST_KEY: secret('Key of the hosted image service.', z.optional(z.string())),
  IMAGE_HOST_ORIGINS: setting(
    'Origins from which the hosted image service serves pictures, separated by commas.',
    z.optional(origins()),
  ),
};

const s3Settings = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
const hostedSettings = ['IMAGE_HOST_URL', 'IMAGE_HOST_KEY', 'IMAGE_HOST_ORIGINS'] as const;

/** Refuses settings that are set only in part. */
const wholeOrNot = (names: readonly (keyof typeof settings)[]): CrossCheck =>
  crossCheck(Object.fromEntries(names.map((name) => [name, settings[name]])), (values) => {
    const absent = names.filter((name) => values[name] === undefined);
    return absent.length === 0 || absent.length === names.length
      ? []
      : [
          `${names.join(', ')} go together: ${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} missing.`,
        ];
  });

const oneStore = crossCheck(
  { S3_ENDPOINT: settings.S3_ENDPOINT, IMAGE_HOST_URL: settings.IMAGE_HOST_URL },
  ({ S3_ENDPOINT, IMAGE_HOST_URL }) =>
    S3_ENDPOINT && IMAGE_HOST_URL
      ? ['S3_ENDPOINT and IMAGE_HOST_URL exclude each other: new pictures go to one place.']
      : [],
);

export const pictures = {
  title: 'Pictures',
  settings,
  checks: [wholeOrNot(s3Settings), wholeOrNot(hostedSettings), oneStore],
} satisfies SettingsGroup;

export const readPictures = (values: Values<typeof settings>) => ({
  pictureTimeoutMs: values.PICTURE_TIMEOUT_MS,
  /** Null: this server's own folder. */
  pictureStore: readS3Store(values) ?? readHostedStore(values),
});

function readS3Store(values: Values<typeof settings>): S3StoreConfig | null {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return null;
  const bucketUrl = `${S3_ENDPOINT}/${S3_BUCKET}`;
  return {
    kind: 's3',
    bucketUrl,
    region: values.S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    publicUrl: (values.S3_PUBLIC_URL ?? bucketUrl).replace(/\/+$/, ''),
  };
}

function readHostedStore(values: Values<typeof settings>): HostedStoreConfig | null {
  const { IMAGE_HOST_URL: url, IMAGE_HOST_KEY: key, IMAGE_HOST_ORIGINS } = values;
  return url && key ? { kind: 'hosted', url, key, origins: splitList(IMAGE_HOST_ORIGINS) } : null;
}

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return !url.username && !url.password && !url.search && !url.hash;
}
