import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { BareAnswer } from './bare-server.ts';
import { closing } from './closing.ts';
import type { Reading } from './load.ts';

/** As sent: compressed, with headers in order. */
export interface Answer {
  status: number;
  /** Alternating names and values. */
  headers: string[];
  etag: string;
  body: Buffer;
}

/** @throws Error without an entity tag, or for an unexpected status */
export function fetchAnswer(port: number, { path, etag }: Omit<Reading, 'kind'>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Keep-alive like the load generator, so that the headers agree.
    const headers = {
      'accept-encoding': 'br',
      accept: '*/*',
      connection: 'keep-alive',
      ...(etag !== undefined && { 'if-none-match': etag }),
    };
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('end', () => {
        const { statusCode: status, headers } = response;
        if (status !== (etag === undefined ? 200 : 304) || headers.etag === undefined) {
          return reject(new Error(`${path} was answered with ${status} and the entity tag ${headers.etag}.`));
        }
        resolve({ status, headers: response.rawHeaders, etag: headers.etag, body: Buffer.concat(parts) });
      });
      response.once('error', reject);
    })
      .once('error', reject)
      .end();
  });
}

/** Node's server in its own process, with this response for every request. */
export async function startBareServer({ status, headers, body }: Answer) {
  const child = fork(fileURLToPath(new URL('./bare-server.ts', import.meta.url)), { stdio: 'inherit' });
  const ended = once(child, 'exit');
  const stop = closing(async () => {
    if (child.connected) child.disconnect();
    await ended;
  });
  const answer: BareAnswer = { status, headers: withoutNodesOwn(headers), body: body.toString('base64') };
  child.send(answer);
  const [port] = (await once(child, 'message')) as [number];
  return { port, pid: child.pid ?? Number.NaN, stop };
}

/** Added by Node's server. */
const nodesOwn = /^(date|connection|keep-alive)$/i;

const withoutNodesOwn = (headers: readonly string[]) =>
  headers.filter((_, index) => !nodesOwn.test(headers[index - (index % 2)] ?? ''));

/** Only the date may differ. */
export function assertSame(shop: Answer, bare: Answer): void {
  const written = ({ headers }: Answer) =>
    headers.filter((_, index) => !/^date$/i.test(headers[index - (index % 2)] ?? '')).join('\n');
  if (written(shop) !== written(bare) || !shop.body.equals(bare.body)) {
    throw new Error(`The bare server's answer is not the shop's:\n${written(shop)}\n\n${written(bare)}`);
  }
}
