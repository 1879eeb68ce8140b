import { readFile } from 'node:fs/promises';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { Call } from '@parts-forge/contract/call';
import type { FastifyInstance } from 'fastify';
import { sendWithEtag } from '#src/platform/http/send-cached.ts';
import { describeAsOpenApi } from './openapi.ts';

/** The page of the calls brings its own scripts and, unlike the shop's pages, styles written into its markup. */
const docsPolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * `GET /openapi.json`, made of the same descriptions that check the calls, and `/docs` to read and try them.
 * Register it before the calls: it listens to the routes being registered.
 */
export function describeCalls(app: FastifyInstance): { serve(): Promise<void> } {
  const calls: Call[] = [];
  app.addHook('onRoute', ({ config, method }) => {
    const call = (config as { call?: Call } | undefined)?.call;
    if (call && [method].flat().includes(call.method)) calls.push(call);
  });
  return {
    async serve() {
      const document = describeAsOpenApi(calls);
      const body = JSON.stringify(document);
      app.get('/openapi.json', async (request, reply) =>
        sendWithEtag(request, reply.type('application/json'), body),
      );
      await app.register(async (docs) => {
        docs.addHook('onSend', async (_request, reply) => {
          if (!reply.getHeader('etag')) reply.header('cache-control', 'no-store');
          else reply.header('cache-control', 'no-cache');
        });
        await docs.register(swagger, { mode: 'static', specification: { document: document as never } });
        await docs.register(swaggerUi, {
          routePrefix: '/docs',
          staticCSP: docsPolicy,
          uiConfig: {
            docExpansion: 'list',
            // Its links stand within buttons, where neither is announced.
            deepLinking: false,
            defaultModelsExpandDepth: 0,
            // Its colours on its ground are too faint to read.
            syntaxHighlight: false,
          },
          theme: {
            title: 'The calls of Parts Forge',
            css: [{ filename: 'docs.css', content: await readAsset('docs.css') }],
            js: [{ filename: 'docs.js', content: await readAsset('docs.js') }],
          },
        });
      });
    },
  };
}

const readAsset = (file: string) => readFile(new URL(file, import.meta.url), 'utf8');
