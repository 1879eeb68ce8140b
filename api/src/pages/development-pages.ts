import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ViteDevServer } from 'vite';
import type { Config } from '#src/platform/core/config.ts';
import { createInProcessClient } from '#src/platform/http/in-process-client.ts';
import { buildFolder, type PagesBuild, readBuild } from './pages-build.ts';
import { createStaticFiles } from './static-files.ts';

/**
 * Pages from their sources with live reload, without caches and content security policy: Vite adds its own
 * scripts.
 */
export async function registerDevelopmentPages(
  app: FastifyInstance,
  config: Pick<Config, 'origin'>,
  shopFiles: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const files = createStaticFiles('', {}, shopFiles);
  const vite = await openVite(app);
  // Vite's socket in an open browser never ends by itself.
  app.addHook('preClose', () => vite.close());

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.removeHeader('content-security-policy');
    const [path = '/'] = request.url.split('?');
    const file = await files.send(request, reply, path);
    if (file) return file;
    if (await letViteAnswer(vite, request, reply)) return reply;
    const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as PagesBuild;
    const { call } = createInProcessClient(app);
    const page = new Request(new URL(request.url, config.origin ?? 'http://shop.invalid'));
    const response = await readBuild(build, 'development').render(page, { call, origin: config.origin });
    reply.code(response.status).header('cache-control', 'no-store');
    response.headers.forEach((value, name) => void reply.header(name, value));
    return reply.send(Buffer.from(await response.arrayBuffer()));
  };
  app.decorate('sendPage', answer);
  app.get('/*', answer);
}

function openVite(app: FastifyInstance): Promise<ViteDevServer> {
  const web = join(buildFolder, '..');
  return import('vite').then(({ createServer }) =>
    createServer({
      root: web,
      configFile: join(web, 'vite.config.ts'),
      appType: 'custom',
      server: { middlewareMode: true, hmr: { server: app.server } },
    }),
  );
}

/** @returns whether Vite responded */
function letViteAnswer(vite: ViteDevServer, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const response: ServerResponse = reply.raw;
    response.once('finish', () => {
      if (!reply.sent) reply.hijack();
      resolve(true);
    });
    vite.middlewares(request.raw, response, (error?: unknown) => (error ? reject(error) : resolve(false)));
  });
}
