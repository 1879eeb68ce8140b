import * as z from 'zod/mini';
import type { HostedStoreConfig } from '#src/platform/core/config/pictures.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { PictureStore } from './picture-store.ts';
import { readBody } from './read-body.ts';

const REQUEST_TIMEOUT_MS = 12_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** The service makes no sizes. */
const SENT_ENDING = '-1280.webp';

const answerSchema = z.object({ data: z.object({ url: z.string().check(z.maxLength(2048)) }) });

/** Specification §7. The shop sends the picture, not the page: the key stays secret, and metadata is gone. */
export const createHostedStore = ({ url, key, origins }: HostedStoreConfig): PictureStore => ({
  widths: [],
  origins,
  holds: async (address) => origins.includes(URL.parse(address)?.origin ?? '') && !(await isGone(address)),
  async put({ hash, files }, signal) {
    const form = new FormData();
    const bytes = files.get(SENT_ENDING) ?? new Uint8Array();
    form.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/webp' }), `${hash}.webp`);
    try {
      const answer = await fetch(`${url}?key=${encodeURIComponent(key)}`, {
        method: 'POST',
        body: form,
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      return await readAddress(answer, origins, key);
    } catch (cause) {
      signal.throwIfAborted();
      throw new Problem('unavailable', { detail: 'Pictures cannot be kept at the moment.', cause });
    }
  },
});

/** An unreachable service counts as having the picture. */
async function isGone(address: string): Promise<boolean> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const answer = await fetch(address, { redirect: 'manual', signal }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status === 404 || answer?.status === 410;
}

/** @throws Error unless the response names one of the origins */
async function readAddress(answer: Response, origins: readonly string[], key: string): Promise<string> {
  if (!answer.ok) {
    throw new Error(`the image service answered ${answer.status}${await readReason(answer, key)}`);
  }
  const { data } = answerSchema.parse(JSON.parse(await readText(answer)));
  const address = URL.parse(data.url);
  if (address === null || address.username || address.password || !origins.includes(address.origin))
    throw new Error('the image service gave an address that is not of IMAGE_HOST_ORIGINS');
  return address.href;
}

const refusal = z.object({ error: z.object({ code: z.optional(z.number()), message: z.string() }) });

/** Empty if the reason may contain the key. */
async function readReason(answer: Response, key: string): Promise<string> {
  try {
    const { code, message } = refusal.parse(JSON.parse(await readText(answer))).error;
    const isPlain = /^[\w .,']{1,80}$/.test(message) && !message.includes(key);
    return `${code === undefined ? '' : ` (${code})`}${isPlain ? `: ${message}` : ''}`;
  } catch {
    return '';
  }
}

async function readText(answer: Response): Promise<string> {
  const bytes = await readBody(answer, MAX_ANSWER_BYTES);
  if (bytes === null) throw new Error('the image service answered too much');
  return bytes.toString('utf8');
}
