import type { Call } from '@parts-forge/contract/calls/call';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Shop } from '#src/platform/core/config/shop.ts';
import type { Config } from '#src/platform/core/config.ts';
import { openOnce } from '#src/platform/core/open-once.ts';
import { sendWithEtag } from '#src/platform/http/cache/send-cached.ts';
import type { Json } from './json.ts';

/** Serves `GET /openapi.json` and `/docs`, both built on first use. Register it before the calls. */
export function describeCalls(app: FastifyInstance, { shop }: Pick<Config, 'shop'>): { serve(): void } {
  const calls: Call[] = [];
  app.addHook('onRoute', ({ config, method }) => {
    const call = (config as { call?: Call } | undefined)?.call;
    if (call && [method].flat().includes(call.method)) calls.push(call);
  });
  const readDocument = openOnce(async () => {
    const { describeAsOpenApi } = await import('./openapi.ts');
    const document = describeAsOpenApi(calls, shop);
    return { document, body: JSON.stringify(document) };
  });
  return {
    serve() {
      app.get('/openapi.json', async (request, reply) => {
        const { body } = await readDocument();
        return sendWithEtag(request, reply.type('application/json'), body);
      });
      serveDocsPage(app, shop, async () => (await readDocument()).document);
    },
  };
}

function serveDocsPage(app: FastifyInstance, shop: Shop, readDocument: () => Promise<Json>): void {
  const openPage = openOnce(async () => {
    const { openDocsPage } = await import('./docs-page.ts');
    return openDocsPage(await readDocument(), shop);
  });
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const page = await openPage();
    const version = request.headers['if-none-match'];
    const { statusCode, headers, rawPayload } = await page.inject({
      url: request.url,
      headers: version === undefined ? {} : { 'if-none-match': version },
    });
    if (statusCode >= 500) throw new Error(`The page of the calls answers ${request.url} with ${statusCode}`);
    if (statusCode >= 400) return reply.callNotFound();
    for (const name of passedOn) {
      const value = headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    return reply.code(statusCode).send(rawPayload);
  };
  app.get('/docs', send);
  app.get('/docs/*', send);
}

/** The shop's hooks set all other headers. */
const passedOn = [
  'content-type',
  'content-security-policy',
  'cache-control',
  'etag',
  'last-modified',
  'location',
];
