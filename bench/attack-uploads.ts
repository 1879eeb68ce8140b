import sharp from 'sharp';
import { closing } from './closing.ts';
import { administrator } from './shop-process.ts';

const uploads = 24;
/** 49 megapixels. */
const side = 7000;
/** Whoever is told that the shop is busy waits so long, a fifth of what it asks for; in milliseconds. */
const pauseMs = 1000;
/** Written by hand, as making forms would cost more than sending them. */
const form = { 'content-type': 'multipart/form-data; boundary=part' };
const formHead = Buffer.from(
  '--part\r\nContent-Disposition: form-data; name="image"; filename="part.png"\r\nContent-Type: image/png\r\n\r\n',
);
const formEnd = Buffer.from('\r\n--part--\r\n');

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
