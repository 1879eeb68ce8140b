import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { sendWithEtag } from '#src/platform/http/send-cached.ts';

/** Public pages that say something to a search engine; those behind the guard do not. */
const publicPaths = ['/', '/all-products', '/blogs', '/portfolio'];
const privatePaths = ['/dashboard', '/purchase/', '/identity/'];

/** `/robots.txt` and `/sitemap.xml`. Without `ORIGIN` they name the host that was asked. */
export function registerRobotsAndSitemap(app: FastifyInstance, config: Pick<Config, 'origin'>): void {
  const resolveOrigin = (request: FastifyRequest) =>
    config.origin ?? `${request.protocol}://${sanitizeHost(request.headers.host ?? 'localhost')}`;

  app.get('/robots.txt', async (request, reply) =>
    sendWithEtag(
      request,
      reply.type('text/plain; charset=utf-8'),
      [
        'User-agent: *',
        ...privatePaths.map((path) => `Disallow: ${path}`),
        `Sitemap: ${resolveOrigin(request)}/sitemap.xml`,
        '',
      ].join('\n'),
    ),
  );

  app.get('/sitemap.xml', async (request, reply) => {
    const urls = publicPaths.map((path) => `<url><loc>${resolveOrigin(request)}${path}</loc></url>`);
    return sendWithEtag(
      request,
      reply.type('application/xml; charset=utf-8'),
      `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`,
    );
  });
}

/** The Host header is whatever a client sends. */
const sanitizeHost = (host: string) => host.replace(/[^\w.:[\]-]/g, '');
