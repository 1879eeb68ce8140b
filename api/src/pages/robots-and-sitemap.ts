import { partPath } from '@parts-forge/contract/part-rules';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { fileKey } from '#src/platform/http/cache/response-cache.ts';
import { sendCached, sendWithEtag } from '#src/platform/http/cache/send-cached.ts';
import { resolveOrigin } from './origin.ts';

/** Public pages that say something to a search engine, beside those of the parts; those behind the guard do not. */
const publicPaths = ['/', '/all-products', '/blogs', '/portfolio'];
const privatePaths = ['/dashboard', '/purchase/', '/identity/', '/live'];
/** Addresses in one file, by the protocol (sitemaps.org). Of more parts the newest are named. */
const MAX_ADDRESSES = 50_000;

/** A part as the sitemap names it. */
export interface ListedPart {
  _id: string;
  name: string;
}
/** The newest parts that are for sale, so many at most. */
export type ListParts = (limit: number) => Promise<ListedPart[]>;

/** `/robots.txt` and `/sitemap.xml`. Without `ORIGIN` they name the host that was asked. */
export function registerRobotsAndSitemap(
  app: FastifyInstance,
  config: Pick<Config, 'origin'>,
  listParts: ListParts,
): void {
  app.get('/robots.txt', async (request, reply) =>
    sendWithEtag(
      request,
      reply.type('text/plain; charset=utf-8'),
      [
        'User-agent: *',
        ...privatePaths.map((path) => `Disallow: ${path}`),
        `Sitemap: ${resolveOrigin(request, config)}/sitemap.xml`,
        '',
      ].join('\n'),
    ),
  );

  app.get('/sitemap.xml', async (request, reply) => {
    const origin = resolveOrigin(request, config);
    const makeSitemap = async () => {
      const parts = await listParts(MAX_ADDRESSES - publicPaths.length);
      return {
        headers: { 'content-type': 'application/xml; charset=utf-8' },
        body: writeSitemap([...publicPaths, ...parts.map(partPath)].map((path) => origin + path)),
      };
    };
    const key = fileKey(config.origin === null ? `${origin}/sitemap.xml` : '/sitemap.xml');
    return sendCached(request, reply, await app.responses.get(key, makeSitemap, ['catalogue']));
  });
}

/** Nothing in an address of ours needs to be escaped: ids and plain words. */
function writeSitemap(addresses: readonly string[]): string {
  const urls = addresses.map((address) => `<url><loc>${address}</loc></url>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`;
}
