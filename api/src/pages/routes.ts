import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { acceptsHtml } from '#src/platform/http/cache/content-negotiation.ts';
import type { FreshResponse } from '#src/platform/http/cache/response-cache.ts';
import { sendCached } from '#src/platform/http/cache/send-cached.ts';
import { createInProcessClient } from '#src/platform/http/in-process-client.ts';
import type { Platform } from '#src/platform/platform.ts';
import { createContentSecurityPolicy, createPageHeaders } from './content-security-policy.ts';
import { registerDevelopmentPages } from './development-pages.ts';
import { buildFolder, loadPages, type Pages, readAddresses } from './pages-build.ts';
import { registerQrCodes } from './qr-code.ts';
import { type ListPaths, registerRobotsAndSitemap } from './robots-and-sitemap.ts';
import { createShopFiles } from './shop-files.ts';
import { createStaticFiles } from './static-files.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Sends the request's page, or the not-found page with status 404. */
    sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  }
}

export interface PageServices {
  listPictureOrigins: () => Promise<readonly string[]>;
  listPaths: ListPaths;
}

/** No route has this path. */
const NOT_FOUND_PATH = '/not-found';

/** Null for the not-found page. */
type RouteId = string | null;

/**
 * Pages are rendered through the calls and cached as bytes until their data changes. The build loads with the
 * first page.
 */
export async function registerPages(
  app: FastifyInstance,
  { config }: Pick<Platform, 'config'>,
  { listPictureOrigins, listPaths }: PageServices,
): Promise<void> {
  registerRobotsAndSitemap(app, config, listPaths);
  registerQrCodes(app, config);
  const publicFolder = join(buildFolder, config.livePages ? '../public' : 'client');
  const shopFiles = await createShopFiles(publicFolder, config.shop);
  if (config.livePages) return registerDevelopmentPages(app, config, shopFiles);
  const addresses = readAddresses();
  const renderPage = createPageRenderer(app, config, listPictureOrigins);
  const { sendPage, sendPath } = createSender(app, addresses.length > 0, renderPage);
  // One response for all unknown addresses, rendered for a fixed path.
  app.decorate('sendPage', (request: FastifyRequest, reply: FastifyReply) =>
    sendPath(request, reply, NOT_FOUND_PATH),
  );
  for (const { path, route } of addresses) {
    app.get(path, (request, reply) => sendPage(request, reply, route));
    app.get(dataPath(path), (request, reply) => sendPage(request, reply, route));
    app.post(path, { onRequest: reloadPage }, reloadPage);
    if (path !== '/') app.get(`${path}/`, (request, reply) => reply.redirect(stripSlash(request.url), 308));
  }
  const headers = {
    ...createPageHeaders('/', config),
    'content-security-policy': createContentSecurityPolicy('', '/', config, await listPictureOrigins()),
  };
  registerFiles(app, createStaticFiles(publicFolder, headers, shopFiles), sendPage);
}

/** Sends pages from the cache. */
function createSender(
  app: FastifyInstance,
  isBuilt: boolean,
  renderPage: ReturnType<typeof createPageRenderer>,
) {
  let loading: Promise<Pages> | null = null;

  const requirePages = () => {
    if (!isBuilt) throw new Problem('unavailable', { detail: 'The pages are not built.' });
    loading ??= loadPages();
    return loading;
  };

  async function sendPage(request: FastifyRequest, reply: FastifyReply, route: RouteId) {
    const { listQueryNames } = await requirePages();
    return sendPath(
      request,
      reply,
      readPageAddress(request.url, route === null ? [] : listQueryNames(route)),
    );
  }

  async function sendPath(request: FastifyRequest, reply: FastifyReply, path: string) {
    const { render } = await requirePages();
    const page = await app.responses.get(path, () => renderPage(path, render));
    return sendCached(request, reply, page);
  }

  return { sendPage, sendPath };
}

/** @returns renders a path's page, with headers and dependencies */
function createPageRenderer(
  app: FastifyInstance,
  config: Platform['config'],
  listPictureOrigins: PageServices['listPictureOrigins'],
) {
  return async (path: string, render: Pages['render']): Promise<FreshResponse> => {
    const client = createInProcessClient(app);
    const request = new Request(new URL(path, config.origin ?? 'http://shop.invalid'));
    const response = await render(request, { call: client.call, origin: config.origin });
    const body = Buffer.from(await response.arrayBuffer());
    const { pathname } = new URL(request.url);
    const headers = createPageHeaders(pathname, config);
    response.headers.forEach((value, name) => {
      if (!/^(content-length|cache-control|set-cookie)$/.test(name)) headers[name] = value;
    });
    if (headers['content-type']?.startsWith('text/html')) {
      // After rendering, to cover everything on the page.
      const origins = await listPictureOrigins();
      headers['content-security-policy'] = createContentSecurityPolicy(
        body.toString(),
        pathname,
        config,
        origins,
      );
    }
    const { status } = response;
    const isCacheable = status < 500 && !client.hasFailed;
    const { ageSeconds } = client;
    // The policy depends on the configuration.
    const dependencies = new Set(client.dependencies).add('config');
    return { status, headers, body, dependencies, isCacheable, ageSeconds };
  };
}

function registerFiles(
  app: FastifyInstance,
  files: ReturnType<typeof createStaticFiles>,
  sendPage: (request: FastifyRequest, reply: FastifyReply, route: RouteId) => Promise<FastifyReply>,
): void {
  const sendFile = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '/'] = request.url.split('?');
    const file = await files.send(request, reply, path);
    return file ?? reply.callNotFound();
  };
  // Not rate-limited: one page requests dozens at once.
  app.get('/assets/*', { config: { rateLimit: false } }, sendFile);
  app.get('/*', (request, reply) =>
    isData(readUrl(request.url)) ? sendPage(request, reply, null) : sendFile(request, reply),
  );
}

/**
 * Browsers without JavaScript post a form to its page, which says that it needs JavaScript. The body stays
 * unread.
 */
async function reloadPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!acceptsHtml(request.headers)) throw new Problem('wrong-method', { allow: 'GET, HEAD' });
  // Drops an origin in the URL.
  const { pathname, search } = readUrl(request.url);
  return reply.redirect(`${pathname}${search}`, 303);
}

const stripSlash = (url: string) => url.replace(/\/(?=\?|$)/, '');

const readUrl = (url: string): URL => new URL(url, 'http://shop.invalid');

const isData = ({ pathname }: URL): boolean => pathname.endsWith('.data');

const dataPath = (path: string) => (path === '/' ? '/_.data' : `${path}.data`);

/** Removes unknown parameters, which could fill the cache with copies, and sorts the rest. */
function readPageAddress(url: string, names: readonly string[]): string {
  const address = readUrl(url);
  const { pathname, searchParams } = address;
  const query = new URLSearchParams();
  for (const name of names) {
    const value = searchParams.get(name);
    if (value) query.set(name, value);
  }
  const routes = isData(address) ? searchParams.get('_routes') : null;
  if (routes !== null && routes.length < 500) query.set('_routes', routes);
  return `${pathname}${query.size > 0 ? `?${query}` : ''}`;
}
