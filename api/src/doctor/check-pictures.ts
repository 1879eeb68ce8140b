import { randomUUID } from 'node:crypto';
import { DIRECT_UPLOAD_TYPE } from '@parts-forge/contract/images';
import { createS3Store } from '#src/images/s3-store.ts';
import type { HostedStoreConfig, S3StoreConfig } from '#src/platform/core/config/pictures.ts';
import { type Finding, fails, note, readReason, type Visit, works } from './check.ts';
import { ask } from './running-shop.ts';

const PATIENCE_MS = 15_000;

/** Where new pictures go, other than this server's folder. */
export async function checkPictures({ config: { pictureStore } }: Visit): Promise<Finding[]> {
  if (pictureStore === null) return [];
  return [pictureStore.kind === 's3' ? await tryBucket(pictureStore) : await askService(pictureStore)];
}

/** Writes, reads and removes an object, in the place of originals on their way: nobody else looks there. */
async function tryBucket(config: S3StoreConfig): Promise<Finding> {
  const { direct } = createS3Store(config);
  if (!direct) return note('Whether the bucket takes pictures cannot be seen.');
  const name = `doctor-${randomUUID()}`;
  const sent = Buffer.from('A file of the doctor, to be removed.');
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const address = await direct.open(name, sent.length, 60);
    const headers = { 'content-type': DIRECT_UPLOAD_TYPE };
    const answer = await ask(address, { method: 'PUT', headers, body: sent });
    if (!answer.ok)
      return fails(`The bucket at ${config.bucketUrl} answers a new file with ${answer.status}.`);
    const isSame = sent.equals(await direct.take(name, signal));
    await direct.remove(name);
    return isSame
      ? works(`The bucket at ${config.bucketUrl} keeps, gives back and removes files.`)
      : fails(`The bucket at ${config.bucketUrl} gave back another file than it was given.`);
  } catch (error) {
    return fails(`The bucket at ${config.bucketUrl} cannot be used: ${readReason(error)}.`);
  }
}

/** No more than that it answers: a picture that was posted to it would stay there. */
async function askService({ url }: HostedStoreConfig): Promise<Finding> {
  try {
    await ask(url);
    return note(
      `The image service at ${url} answers; whether it takes the key is seen with the first picture.`,
    );
  } catch (error) {
    return fails(`The image service at ${url} does not answer: ${readReason(error)}.`);
  }
}
