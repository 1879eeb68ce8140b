import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';

export type Encoding = 'br' | 'gzip';
const ENCODINGS: Encoding[] = ['br', 'gzip'];
/** Only made-up headers are parsed each time. */
const MAX_KNOWN_HEADERS = 100;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const negotiator = new Negotiator<Encoding>({
  supportedValues: ENCODINGS,
  cache: new LRUCache<string, string>({ max: MAX_KNOWN_HEADERS }),
});

/** By the browser's weights (RFC 9110 §12.5.3); null for none. */
export const negotiateEncoding = (accepted: string | undefined): Encoding | null =>
  accepted ? negotiator.negotiate(accepted) : null;

export const acceptsHtml = ({ accept = '' }: { accept?: string | undefined }): boolean =>
  /text\/html(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accept);

/** One packet: a smaller body would arrive no sooner. */
const MIN_COMPRESSED_BYTES = 1400;
export const isWorthCompressing = ({ length }: Buffer): boolean => length >= MIN_COMPRESSED_BYTES;

/** Smaller bodies compress faster than another thread starts. */
const MAX_SYNC_BYTES = 4096;

/** In bits. For a small body, allocating a wide window costs more than compressing. */
const chooseWindow = (length: number) => (length <= 2 ** 16 ? 16 : constants.BROTLI_DEFAULT_WINDOW);

/** A middle level, as a cached body lives only until the next change. */
const buildBrotliOptions = ({ length }: Buffer) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: chooseWindow(length),
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
  },
});
const gzipOptions = { level: 7 };

export async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  const isSmall = body.length <= MAX_SYNC_BYTES;
  if (encoding === 'gzip') return isSmall ? gzipSync(body, gzipOptions) : zip(body, gzipOptions);
  return isSmall
    ? brotliCompressSync(body, buildBrotliOptions(body))
    : brotli(body, buildBrotliOptions(body));
}

export function varyBy(reply: FastifyReply, name: string): void {
  const present = reply.getHeader('vary');
  reply.header('vary', present ? `${present}, ${name}` : name);
}

/** A weak ETag; lists of the same rows may differ in headers alone. */
export function createEtag(body: Buffer | string, headers: Record<string, string> = {}): string {
  const head = JSON.stringify(headers);
  const whole = typeof body === 'string' ? body + head : Buffer.concat([body, Buffer.from(head)]);
  const digest = hash('sha256', whole, 'base64url');
  return `W/"${digest.slice(0, 27)}"`;
}

/** Weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === opaque(etag));
}
