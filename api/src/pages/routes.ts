import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { acceptsHtml } from '#src/platform/http/cache/content-negotiation.ts';
import { type FreshResponse, pageKey } from '#src/platform/http/cache/response-cache.ts';
import { sendCached } from '#src/platform/http/cache/send-cached.ts';
import { createInProcessClient } from '#src/platform/http/in-process-client.ts';
import type { Platform } from '#src/platform/platform.ts';
import {
  createContentSecurityPolicy,
  createPageHeaders,
  type PictureOrigins,
} from './content-security-policy.ts';
import { registerDevelopmentPages } from './development-pages.ts';
import { buildFolder, loadPages, type Pages, readAddresses } from './pages-build.ts';
import { registerQrCodes } from './qr-code.ts';
import { type ListParts, registerRobotsAndSitemap } from './robots-and-sitemap.ts';
import { createStaticFiles } from './static-files.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers with the page of the request's address; the not-found page with status 404 where there is none. */
    sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  }
}

/** What the pages need of others; `app.ts` joins them. */
export interface PageNeeds {
  listPictureOrigins: () => Promise<PictureOrigins>;
  listParts: ListParts;
}

/** No route has this path, so the router renders the not-found page for it. */
const NOT_FOUND_PATH = '/not-found';

/** The route that shows an address; null for the not-found page. */
type RouteId = string | null;

/**
 * The pages of the shop: rendered on the server through the calls, cached as finished bytes until what they show
 * changes, and the files that they are made of. A build is loaded when the first page is asked for.
 */
export async function registerPages(
  app: FastifyInstance,
  { config }: Pick<Platform, 'config'>,
  { listPictureOrigins, listParts }: PageNeeds,
): Promise<void> {
  registerRobotsAndSitemap(app, config, listParts);
  registerQrCodes(app, config);
  if (config.livePages) return registerDevelopmentPages(app, config);
  const addresses = readAddresses();
  const renderPage = createPageRenderer(app, config, listPictureOrigins);
  let loading: Promise<Pages> | null = null;

  const requirePages = () => {
    if (addresses.length === 0) throw new Problem('unavailable', { detail: 'The pages are not built.' });
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
    const page = await app.responses.get(pageKey(path), () => renderPage(path, render));
    return sendCached(request, reply, page);
  }

  // Every address without a page shows the same one, rendered for an address that no visitor chooses.
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
  registerFiles(app, createStaticFiles(`${buildFolder}/client`, headers), sendPage);
}

/** @returns renders the page of a path through the calls, with its headers and what it depends on */
function createPageRenderer(
  app: FastifyInstance,
  config: Platform['config'],
  listPictureOrigins: PageNeeds['listPictureOrigins'],
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
      // After the page was rendered, so that it allows all that the page shows.
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
    // Its policy follows what the shop says of itself, not what the page shows.
    const dependencies = new Set(client.dependencies).add('config');
    return { status, headers, body, dependencies, isCacheable, ageSeconds };
  };
}

/** Files of the build, and the data of addresses that are no page; whatever else is asked for is not found. */
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
  // Outside the limit on rates: one page asks for dozens of them at once.
  app.get('/assets/*', { config: { rateLimit: false } }, sendFile);
  app.get('/*', (request, reply) =>
    isData(readUrl(request.url)) ? sendPage(request, reply, null) : sendFile(request, reply),
  );
}

/**
 * A browser without JavaScript sends a form to the page that it stands on. The page says that the form needs JavaScript;
 * the body is not read.
 */
async function reloadPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!acceptsHtml(request.headers)) throw new Problem('wrong-method', { allow: 'GET, HEAD' });
  // Without an origin that the request may name.
  const { pathname, search } = new URL(request.url, 'http://shop.invalid');
  return reply.redirect(`${pathname}${search}`, 303);
}

const stripSlash = (url: string) => url.replace(/\/(?=\?|$)/, '');

const readUrl = (url: string): URL => new URL(url, 'http://shop.invalid');

const isData = ({ pathname }: URL): boolean => pathname.endsWith('.data');

/** Where the router fetches the data of a page for a navigation in the browser. */
const dataPath = (path: string) => (path === '/' ? '/_.data' : `${path}.data`);

/**
 * The address of a page without the parameters that it does not look at, so that nobody can fill the memory
 * with copies of it. Parameters keep one order.
 */
function readPageAddress(url: string, names: readonly string[]): string {
  const address = readUrl(url);
  const { pathname, searchParams } = address;
  const query = new URLSearchParams();
  for (const name of names) {
    const value = searchParams.get(name);
    if (value) query.set(name, value);
  }
  // The router says which routes it wants the data of.
  const routes = isData(address) ? searchParams.get('_routes') : null;
  if (routes !== null && routes.length < 500) query.set('_routes', routes);
  return `${pathname}${query.size > 0 ? `?${query}` : ''}`;
}
