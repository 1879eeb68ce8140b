import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { sendCached, sendWithEtag } from '#src/platform/http/cache/send-cached.ts';
import { resolveOrigin } from './origin.ts';

/** For search engines, besides parts. */
const publicPaths = ['/', '/all-products', '/blogs', '/portfolio'];
const privatePaths = ['/dashboard', '/purchase/', '/identity/', '/live'];
/** The protocol's limit (sitemaps.org); the newest parts win. */
const MAX_ADDRESSES = 50_000;

/** Paths of phone models and parts, the newest parts first. */
export type ListPaths = (limit: number) => Promise<string[]>;

/** Anyone can send any host. */
const ownHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/** Without `ORIGIN` only this machine has a sitemap. */
export function registerRobotsAndSitemap(
  app: FastifyInstance,
  config: Pick<Config, 'origin'>,
  listPaths: ListPaths,
): void {
  const findOrigin = (request: FastifyRequest) =>
    config.origin || ownHost.test(request.headers.host ?? '') ? resolveOrigin(request, config) : null;

  app.get('/robots.txt', async (request, reply) =>
    sendWithEtag(
      request,
      reply.type('text/plain; charset=utf-8'),
      [
        'User-agent: *',
        ...privatePaths.map((path) => `Disallow: ${path}`),
        ...[findOrigin(request)].flatMap((origin) => (origin ? `Sitemap: ${origin}/sitemap.xml` : [])),
        '',
      ].join('\n'),
    ),
  );

  app.get('/sitemap.xml', async (request, reply) => {
    const origin = findOrigin(request);
    if (origin === null) return reply.callNotFound();
    const renderSitemap = async () => {
      const paths = await listPaths(MAX_ADDRESSES - publicPaths.length);
      return {
        headers: { 'content-type': 'application/xml; charset=utf-8' },
        body: writeSitemap([...publicPaths, ...paths].map((path) => origin + path)),
      };
    };
    const key = config.origin === null ? `${origin}/sitemap.xml` : '/sitemap.xml';
    return sendCached(request, reply, await app.responses.get(key, renderSitemap, ['catalogue']));
  });
}

/** Ids and plain words need no escaping. */
function writeSitemap(addresses: readonly string[]): string {
  const urls = addresses.map((address) => `<url><loc>${address}</loc></url>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`;
}
