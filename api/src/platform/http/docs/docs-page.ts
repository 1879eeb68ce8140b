import { readFile } from 'node:fs/promises';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Shop } from '#src/platform/core/config/shop.ts';
import { escapeHtml } from '#src/platform/core/escape-html.ts';
import type { Json } from './json.ts';

/** For its own scripts and inline styles. */
const docsPolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'";

/** Never listens: requests below `/docs` come in by `inject`. */
export async function openDocsPage(document: Json, { name, accent }: Shop): Promise<FastifyInstance> {
  const css = (await readAsset('docs.css')).replaceAll('#af4715', accent?.light ?? '#af4715');
  const docs = Fastify();
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
      // Screen readers do not announce its links, which are inside buttons.
      deepLinking: false,
      defaultModelsExpandDepth: 0,
      // Its colours have too little contrast.
      syntaxHighlight: false,
    },
    theme: {
      // The package writes it into HTML as it is.
      title: `The calls of ${escapeHtml(name)}`,
      css: [{ filename: 'docs.css', content: css }],
      js: [{ filename: 'docs.js', content: await readAsset('docs.js') }],
    },
  });
  return docs;
}

const readAsset = (file: string) => readFile(new URL(file, import.meta.url), 'utf8');
