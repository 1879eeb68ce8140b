import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callsInside } from '#src/platform/http/in-process-client.ts';
import { Problem } from '#src/platform/http/problem.ts';
import type { Services } from '#src/services.ts';
import { pageHeaders, policyFor } from './content-security-policy.ts';
import { registerLivePages } from './development-pages.ts';
import { keptPages, type Rendered, sendPage } from './kept-pages.ts';
import { buildFolder, loadPages, type Pages, readAddresses } from './pages-build.ts';
import { registerSiteFiles } from './robots-and-sitemap.ts';
import { staticFiles } from './static-files.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers with the page of the request's address; the not-found page with status 404 where there is none. */
    sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  }
}

/** The route that shows an address; null for the not-found page. */
type RouteId = string | null;

/**
 * The pages of the shop: rendered on the server through the calls, kept as finished bytes until what they show
 * changes, and the files that they are made of. A build is loaded when the first page is asked for.
 */
export async function registerPages(
  app: FastifyInstance,
  services: Pick<Services, 'config' | 'changes'>,
): Promise<void> {
  const { config, changes } = services;
  registerSiteFiles(app, config);
  if (config.livePages) return registerLivePages(app, config);
  const kept = keptPages(changes);
  const files = staticFiles(`${buildFolder}/client`);
  const addresses = readAddresses();
  const common = pageHeaders(config);
  let loading: Promise<Pages> | null = null;

  const pages = () => {
    if (addresses.length === 0) throw new Problem('unavailable', { detail: 'The pages are not built.' });
    loading ??= loadPages();
    return loading;
  };

  async function answer(request: FastifyRequest, reply: FastifyReply, route: RouteId) {
    const { render, queryOf } = await pages();
    const address = pageAddress(request.url, route === null ? [] : queryOf(route));
    // Everything that is no page looks the same, whatever its address.
    const key = route === null && !address.isData ? '404' : address.path;
    const page = await kept.find(key, () => rendered(address.path, render));
    return sendPage(request, reply, page);
  }

  async function rendered(path: string, render: Pages['render']): Promise<Rendered> {
    const inside = callsInside(app);
    const request = new Request(new URL(path, config.origin ?? 'http://shop.invalid'));
    const response = await render(request, { call: inside.call, origin: config.origin });
    const body = Buffer.from(await response.arrayBuffer());
    const headers: Record<string, string> = { ...common };
    response.headers.forEach((value, name) => {
      if (!/^(content-length|cache-control|set-cookie)$/.test(name)) headers[name] = value;
    });
    if (headers['content-type']?.startsWith('text/html')) {
      headers['content-security-policy'] = policyFor(body.toString(), config);
    }
    const keep = response.status < 500 && !inside.failed;
    return { status: response.status, headers, body, topics: inside.topics, keep };
  }

  app.decorate('sendPage', (request: FastifyRequest, reply: FastifyReply) => answer(request, reply, null));
  for (const { path, route } of addresses) {
    app.get(path, (request, reply) => answer(request, reply, route));
    app.get(dataPath(path), (request, reply) => answer(request, reply, route));
    if (path !== '/') app.get(`${path}/`, (request, reply) => reply.redirect(withoutSlash(request.url), 308));
  }
  // Files of the build, and the data of addresses that are no page. All else is nobody's.
  app.get('/*', async (request, reply) => {
    const [path = '/'] = request.url.split('?');
    const file = await files.send(request, reply, path);
    if (file) return file;
    return path.endsWith('.data') ? answer(request, reply, null) : reply.callNotFound();
  });
}

const withoutSlash = (url: string) => url.replace(/\/(?=\?|$)/, '');

/** Where the router fetches the data of a page for a navigation in the browser. */
const dataPath = (path: string) => (path === '/' ? '/_.data' : `${path}.data`);

/**
 * The address of a page without the parameters that it does not look at, so that nobody can fill the memory
 * with copies of it. Parameters keep one order.
 */
function pageAddress(url: string, names: readonly string[]): { path: string; isData: boolean } {
  const { pathname, searchParams } = new URL(url, 'http://shop.invalid');
  const isData = pathname.endsWith('.data');
  const query = new URLSearchParams();
  for (const name of names) {
    const value = searchParams.get(name);
    if (value) query.set(name, value);
  }
  // The router says which routes it wants the data of.
  const routes = isData ? searchParams.get('_routes') : null;
  if (routes !== null && routes.length < 500) query.set('_routes', routes);
  return { path: `${pathname}${query.size > 0 ? `?${query}` : ''}`, isData };
}
