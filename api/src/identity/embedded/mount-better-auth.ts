import type { IdentityServiceCall } from '@parts-forge/contract/people/identity-service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from '#src/platform/http/node-http.ts';

/** Larger bodies get 413. */
const MAX_IDENTITY_BYTES = 16 * 1024;
/** Overwrites a client's own header of this name. */
export const ADDRESS_HEADER = 'x-shop-client-ip';

/** Leaves bodies unparsed: rewriting JSON would change signed content. Mounts only our pages' calls. */
export async function mountIdentity(
  app: FastifyInstance,
  calls: readonly IdentityServiceCall[],
  baseUrl: string,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_IDENTITY_BYTES },
      (_request, body, done) => done(null, body),
    );
    for (const { method, path } of calls) {
      scope.route({
        method: method === 'GET' ? ['GET', 'HEAD'] : method,
        url: path,
        bodyLimit: MAX_IDENTITY_BYTES,
        handler: async (request, reply) => sendResponse(reply, await handle(toWebRequest(request, baseUrl))),
      });
    }
  });
}

function toWebRequest(request: FastifyRequest, baseUrl: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && name !== 'content-length') headers.set(name, [value].flat().join(', '));
  }
  headers.set(ADDRESS_HEADER, request.ip);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const body = method === 'POST' && Buffer.isBuffer(request.body) ? request.body : null;
  return new Request(new URL(request.url, baseUrl), { method, headers, body: body && new Uint8Array(body) });
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  response.headers.forEach((value, name) => {
    if (name !== 'set-cookie' && name !== 'content-length') reply.header(name, value);
  });
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  const retryAfter = response.headers.get('x-retry-after');
  if (retryAfter !== null) reply.header('retry-after', retryAfter);
  reply.header('cache-control', 'no-store');
  const body = Buffer.from(await response.arrayBuffer());
  if (response.ok || response.status < 400) return reply.send(body);
  return reply.type('application/problem+json').send(toProblemBody(response.status, body));
}

/** RFC 9457, with `message` and `code` for the service's clients. */
function toProblemBody(status: number, body: Buffer): string {
  const title = STATUS_CODES[status] ?? 'Refused';
  const { message, code = title.toUpperCase().replaceAll(/\W+/g, '_') } = parseBody(body);
  return JSON.stringify({ type: 'about:blank', title, status, detail: message ?? title, message, code });
}

function parseBody(body: Buffer): { message?: string; code?: string } {
  try {
    return (JSON.parse(body.toString('utf8')) ?? {}) as { message?: string; code?: string };
  } catch {
    return {};
  }
}
