import sharp from 'sharp';
import { closing } from './closing.ts';
import { administrator } from './shop-process.ts';

const uploads = 24;
/** 49 megapixels. */
const side = 7000;
/** Whoever is told that the shop is busy waits so long; in milliseconds. */
const pauseMs = 250;

/**
 * Two dozen large pictures under way at any time, each another one, until it is ended. Returns when the first is stored.
 * @throws Error for an answer that is neither 200 nor a 503 with `Retry-After`
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
      const form = new FormData();
      form.set('image', new Blob([new Uint8Array(picture), another], { type: 'image/png' }), 'part.png');
      const answer = await fetch(target, { method: 'POST', body: form, signal: ending.signal });
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

/** As the page does it: a session, a proof of identity, an access token, a key. */
async function openUpload(shop: string): Promise<string> {
  const { email } = administrator;
  const origin = { origin: shop, 'content-type': 'application/json' };
  const session = await ask(`${shop}/identity/sign-in/email`, {
    method: 'POST',
    headers: origin,
    body: JSON.stringify(administrator),
  });
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const proof = await ask(`${shop}/identity/token`, { headers: { origin: shop, cookie } });
  const exchanged = await ask(`${shop}/user/${encodeURIComponent(email)}`, {
    method: 'PUT',
    headers: { ...origin, authorization: `Bearer ${await readText(proof, 'token')}` },
    body: JSON.stringify({ email, name: 'Bench' }),
  });
  const key = await ask(`${shop}/images/key`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await readText(exchanged, 'token')}` },
  });
  return `${shop}/images/upload?key=${await readText(key, 'key')}`;
}

async function ask(address: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(address, options);
  if (answer.status !== 200) throw new Error(`${address} was answered ${answer.status}.`);
  return answer;
}

async function readText(answer: Response, field: string): Promise<string> {
  const body: unknown = await answer.json();
  const value = body instanceof Object ? Object.entries(body).find(([name]) => name === field)?.[1] : null;
  if (typeof value !== 'string') throw new Error(`${answer.url} gave no ${field}.`);
  return value;
}
