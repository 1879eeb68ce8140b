import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isPublicHttps } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';

/** By then every process has received the invalidation. */
const OWN_WRITE_SECONDS = 2;
const NAME = 'shop.wrote';
const cookie = new RegExp(`(?:^|;\\s*)${NAME.replace('.', '\\.')}=1(?:;|$)`);

/**
 * Another process may not know of a browser's last write yet, so its reads bypass the cache. A forged
 * cookie only makes reads slower.
 */
export function markOwnWrites(app: FastifyInstance, config: Pick<Config, 'origin'>): void {
  const attributes = `Max-Age=${OWN_WRITE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${isPublicHttps(config) ? '; Secure' : ''}`;
  app.addHook('onSend', (request, reply, payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead && request.actor && reply.statusCode < 400) {
      reply.header('set-cookie', `${NAME}=1; ${attributes}`);
    }
    done(null, payload);
  });
}

export const hasJustWritten = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.cookie !== undefined && cookie.test(headers.cookie);
