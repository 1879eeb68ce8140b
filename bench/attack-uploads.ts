import sharp from 'sharp';
import { closing } from './closing.ts';
import { ask, readText, signInAsAdministrator } from './people.ts';

const uploads = 24;
/** 49 megapixels. */
const side = 7000;
/** A fifth of the shop's `Retry-After`. */
const pauseMs = 1000;
/** Form objects would cost more than sending them. */
const form = { 'content-type': 'multipart/form-data; boundary=part' };
const formHead = Buffer.from(
  '--part\r\nContent-Disposition: form-data; name="image"; filename="part.png"\r\nContent-Type: image/png\r\n\r\n',
);
const formEnd = Buffer.from('\r\n--part--\r\n');

/**
 * Keeps 24 different pictures uploading. Resolves when the first is stored.
 * @throws Error for an answer other than 200 or a 503 with `Retry-After`
 */
export async function startUploads(port: number): Promise<() => Promise<void>> {
  const shop = `http://127.0.0.1:${port}`;
  const picture = await sharp({ create: { width: side, height: side, channels: 3, background: '#4a8' } })
    .png()
    .toBuffer();
  const target = await openUpload(shop);
  const ending = new AbortController();
  const { promise: firstStored, resolve: noteStored } = Promise.withResolvers<void>();
  const upload = async (worker: number) => {
    for (let number = 0; !ending.signal.aborted; number += 1) {
      const another = Buffer.from(`${worker} ${number} ${Date.now()}`);
      const body = Buffer.concat([formHead, picture, another, formEnd]);
      const answer = await fetch(target, { method: 'POST', headers: form, body, signal: ending.signal });
      await answer.arrayBuffer();
      if (answer.status === 200) noteStored();
      else if (answer.status !== 503 || !answer.headers.has('retry-after'))
        throw new Error(`An upload was answered ${answer.status}.`);
      else await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const working = Promise.all(Array.from({ length: uploads }, (_, worker) => upload(worker))).catch(
    (error: unknown) => {
      if (!ending.signal.aborted) throw error;
    },
  );
  await Promise.race([firstStored, working]);
  return closing(async () => {
    ending.abort();
    await working;
  });
}

async function openUpload(shop: string): Promise<string> {
  const token = await signInAsAdministrator(shop);
  const headers = { authorization: `Bearer ${token}` };
  const key = await ask(`${shop}/images/key`, { method: 'POST', headers });
  return `${shop}/images/upload?key=${await readText(key, 'key')}`;
}
