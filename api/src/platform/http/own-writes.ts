import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isPublicHttps } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';

/** For so long after a write its browser is shown what is: other processes have heard of it by then. */
const OWN_WRITE_SECONDS = 2;
const NAME = 'shop.wrote';
const cookie = new RegExp(`(?:^|;\\s*)${NAME.replace('.', '\\.')}=1(?:;|$)`);

/**
 * Marks the browser that has just written something by a cookie of two seconds: lists may be shown to others as they
 * were before an order (docs/decisions/0098), and its next read may come to another process, which has not heard of the
 * write yet (docs/decisions/0071). The cookie says nothing and opens nothing; whoever makes one up reads the present
 * state, one making of an address at a time.
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

/** Whether the browser has just written something, so that it must not be shown what was before. */
export const hasJustWritten = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.cookie !== undefined && cookie.test(headers.cookie);
