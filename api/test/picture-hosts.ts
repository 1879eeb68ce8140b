import { mkdtemp, rm } from 'node:fs/promises';
import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { listen } from './listen.ts';

const corsRules = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PUT</AllowedMethod><AllowedMethod>GET</AllowedMethod><AllowedHeader>*</AllowedHeader></CORSRule></CORSConfiguration>`;

export interface PictureHost {
  env: Record<string, string>;
  close(): Promise<void>;
}

/** From npm; checks signatures, publicly readable. */
export async function startS3Storage(): Promise<PictureHost> {
  const directory = await mkdtemp(path.join(tmpdir(), 'parts-forge-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'pictures', configs: [corsRules] }],
  });
  const { port } = await server.run();
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'pictures',
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async close() {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** As at AWS: only `images/` is public, and the key cannot list the bucket, so a missing file gives 403. */
export function startStrictS3Storage(): Promise<PictureHost> {
  return startS3Proxy(
    ({ url = '/', method, headers }) => {
      const isSigned = headers.authorization !== undefined || url.includes('X-Amz-Signature=');
      return isSigned || method === 'OPTIONS' || url.startsWith('/pictures/images/') ? null : 403;
    },
    (status) => (status === 404 ? 403 : status),
  );
}

export interface StumblingStorage extends PictureHost {
  /** Statuses of the next requests by method; 0: the storage's own. */
  failures: Map<string, number[]>;
}

/** AWS announces occasional failures. */
export async function startStumblingS3Storage(): Promise<StumblingStorage> {
  const failures: StumblingStorage['failures'] = new Map();
  const host = await startS3Proxy(({ method = '' }) => failures.get(method)?.shift() || null);
  return { ...host, failures };
}

/** @param refuse a status; null: the storage's own */
async function startS3Proxy(
  refuse: (request: IncomingMessage) => number | null,
  translate: (status: number) => number = (status) => status,
): Promise<PictureHost> {
  const storage = await startS3Storage();
  const { port } = new URL(String(storage.env.S3_ENDPOINT));
  const server = createServer((request, reply) => {
    const { url, method, headers } = request;
    const refusal = refuse(request);
    if (refusal !== null) return reply.writeHead(refusal).end();
    const passedOn = ask({ host: '127.0.0.1', port, path: url, method, headers }, (answer) => {
      reply.writeHead(translate(answer.statusCode ?? 500), answer.headers);
      answer.pipe(reply);
    });
    passedOn.on('error', () => reply.destroy());
    request.pipe(passedOn);
  });
  const S3_ENDPOINT = await serve(server);
  return {
    env: { ...storage.env, S3_ENDPOINT },
    async close() {
      await closeServer(server);
      await storage.close();
    },
  };
}

export interface HostedService extends PictureHost {
  /** In place of the picture's address; null resets. */
  answerWith(answer: { status: number; body: string; headers?: Record<string, string> } | null): void;
  /** Deletes every picture. */
  lose(): void;
}

const KEY = 'a key of the service & more';

/** The image service of specification §7: field `image`, key in the query, `data.url`. */
export async function startHostedService(): Promise<HostedService> {
  const pictures = new Map<string, Buffer>();
  let kept = 0;
  let instead: Parameters<HostedService['answerWith']>[0] = null;
  const server = createServer(async (request, reply) => {
    const url = new URL(request.url ?? '/', origin);
    const picture = pictures.get(url.pathname);
    if (request.method === 'GET') {
      if (!picture) return reply.writeHead(404).end();
      return reply.setHeader('content-type', 'image/webp').end(picture);
    }
    const image = await readImage(request);
    if (instead) return reply.writeHead(instead.status, instead.headers).end(instead.body);
    if (url.searchParams.get('key') !== KEY || !image) return reply.writeHead(400).end('{}');
    kept += 1;
    const address = `/i/${kept}/part.webp`;
    pictures.set(address, image);
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify({ success: true, data: { url: origin + address } }));
  });
  const origin = await serve(server);
  return {
    env: { IMAGE_HOST_URL: `${origin}/1/upload`, IMAGE_HOST_KEY: KEY, IMAGE_HOST_ORIGINS: origin },
    answerWith(answer) {
      instead = answer;
    },
    lose: () => pictures.clear(),
    close: () => closeServer(server),
  };
}

/** @returns the origin */
const serve = async (server: Server): Promise<string> => `http://127.0.0.1:${await listen(server)}`;

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

async function readImage(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { 'content-type': type = '' } = request.headers;
  if (!type.startsWith('multipart/form-data')) return null;
  const form = await new Response(Buffer.concat(parts), { headers: { 'content-type': type } }).formData();
  const image = form.get('image');
  return image instanceof Blob ? Buffer.from(await image.arrayBuffer()) : null;
}
