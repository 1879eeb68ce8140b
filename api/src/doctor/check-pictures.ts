import { randomUUID } from 'node:crypto';
import { S3mini } from 's3mini';
import type { HostedStoreConfig, S3StoreConfig } from '#src/platform/core/config/pictures.ts';
import type { Config } from '#src/platform/core/config.ts';
import { type Finding, fails, note, QUESTION_MS, readReason, type Visit, works } from './check.ts';
import { ask } from './running-shop.ts';

const SIGNED_SECONDS = 60;
const SENT = 'A file of the doctor, to be removed.';

export async function checkPictures({ config }: Visit): Promise<Finding[]> {
  const { pictureStore } = config;
  if (pictureStore === null) return [];
  return pictureStore.kind === 's3' ? tryBucket(pictureStore) : askService(pictureStore, config);
}

/** Acts like the shop and its visitors, then removes its files. */
async function tryBucket(store: S3StoreConfig): Promise<Finding[]> {
  const { bucketUrl, publicUrl, ...keys } = store;
  const bucket = new S3mini({ ...keys, endpoint: bucketUrl, requestAbortTimeout: QUESTION_MS });
  const picture = `images/doctor-${randomUUID()}.txt`;
  const kept = await keepFile(bucket, picture);
  if (kept !== null) return [fails(`The bucket at ${bucketUrl} ${kept}.`)];
  return [
    await readAsVisitor(`${publicUrl}/${picture}`),
    await readBack(bucket, picture),
    await removeFile(bucket, picture),
  ];
}

/** @returns the error in words after the bucket's name; null on success */
async function keepFile(bucket: S3mini, name: string): Promise<string | null> {
  const headers = { 'content-type': 'text/plain' };
  try {
    const address = await bucket.getPresignedUrl('PUT', name, SIGNED_SECONDS, {}, headers);
    const answer = await ask(address, { method: 'PUT', headers, body: SENT });
    return answer.ok ? null : `answers a new file with ${await describeRefusal(answer)}`;
  } catch (error) {
    return `cannot be used: ${readReason(error)}`;
  }
}

/** AWS names the expected region in a header or in its XML. */
async function describeRefusal(answer: Response): Promise<string> {
  const text = await answer.text().catch(() => '');
  const code = /<Code>(?<code>\w{1,60})<\/Code>/.exec(text)?.groups?.code;
  const region =
    answer.headers.get('x-amz-bucket-region') ??
    /<Region>(?<region>[a-z0-9-]{1,40})<\/Region>/.exec(text)?.groups?.region ??
    /expecting '(?<region>[a-z0-9-]{1,40})'/.exec(text)?.groups?.region;
  const status = code === undefined ? `${answer.status}` : `${answer.status} ${code}`;
  return region === undefined ? status : `${status}: S3_REGION has to be ${region}`;
}

async function readAsVisitor(address: string): Promise<Finding> {
  const setting = 'S3_PUBLIC_URL, else S3_ENDPOINT/S3_BUCKET';
  try {
    const answer = await ask(address);
    if (answer.ok && (await answer.text()) === SENT) {
      return works(`Visitors can read what the shop puts into images/ (${new URL(address).origin}).`);
    }
    return fails(`Visitors see no pictures: ${address} answers ${answer.status} without a key (${setting}).`);
  } catch (error) {
    return fails(`Visitors see no pictures: ${address} does not answer: ${readReason(error)} (${setting}).`);
  }
}

async function readBack(bucket: S3mini, name: string): Promise<Finding> {
  try {
    const answer = await ask(await bucket.getPresignedUrl('GET', name, SIGNED_SECONDS));
    if (answer.ok && (await answer.text()) === SENT) {
      return works(`The bucket at ${bucket.endpoint.href} keeps files and gives them back.`);
    }
    return fails(`The key cannot read images/, as it has to (s3:GetObject): ${answer.status}.`);
  } catch (error) {
    return fails(`The bucket at ${bucket.endpoint.href} gives nothing back: ${readReason(error)}.`);
  }
}

async function removeFile(bucket: S3mini, name: string): Promise<Finding> {
  try {
    if (!(await bucket.deleteObject(name))) throw new Error('refused');
    return works('The bucket removes files.');
  } catch (error) {
    return fails(`The key cannot remove files (s3:DeleteObject), ${name} stays: ${readReason(error)}.`);
  }
}

/** imgbb's codes; others may have their own. */
const WRONG_KEY = 100;
const NO_PICTURE = 130;

/** Posts a form without a picture, which stores nothing. */
async function askService({ url, key, origins }: HostedStoreConfig, config: Config): Promise<Finding[]> {
  const isMixed = config.origin?.startsWith('https:') && origins.some((origin) => origin.startsWith('http:'));
  const mixed = note(
    'IMAGE_HOST_ORIGINS has an address without https: browsers may not show its pictures on pages with https.',
  );
  return [await postNothing(url, key), ...(isMixed ? [mixed] : [])];
}

async function postNothing(url: string, key: string): Promise<Finding> {
  let answer: Response;
  try {
    const address = `${url}?key=${encodeURIComponent(key)}`;
    answer = await ask(address, { method: 'POST', body: new FormData() });
  } catch (error) {
    return fails(`The image service at ${url} does not answer: ${readReason(error)}.`);
  }
  const code = await readCode(answer);
  if (code === NO_PICTURE) return works(`The image service at ${url} takes IMAGE_HOST_KEY.`);
  if (code === WRONG_KEY || [401, 403].includes(answer.status)) {
    return fails(`The image service at ${url} refuses IMAGE_HOST_KEY (${answer.status}).`);
  }
  if (answer.status === 404 || answer.status === 405 || answer.status >= 500) {
    return fails(`The image service at ${url} answers an upload with ${answer.status}.`);
  }
  return note(
    `The image service at ${url} answers; whether it takes the key is seen with the first picture.`,
  );
}

async function readCode(answer: Response): Promise<unknown> {
  const body = (await answer.json().catch(() => null)) as { error?: { code?: unknown } } | null;
  return body?.error?.code;
}
