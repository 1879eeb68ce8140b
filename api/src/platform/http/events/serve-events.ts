import type { Call } from '@parts-forge/contract/calls/call';
import type { FastifyInstance } from 'fastify';
import type * as z from 'zod/mini';
import { strictQuery } from '#src/platform/http/calls/strict.ts';
import { parse } from '#src/platform/http/calls/validation.ts';
import { toWindow } from '#src/platform/http/limits/rate-limits.ts';
import type { SendEvents } from './event-streams.ts';

/** Has its own rate limit: each stream costs a read. */
export function serveEvents<Query extends z.ZodMiniObject>(
  app: FastifyInstance,
  call: Call<undefined, Query, undefined, z.ZodMiniType, 'everyone'>,
  subscribe: (query: z.output<Query>, send: SendEvents) => () => void,
): void {
  const { rateLimit } = call;
  if (!call.query) throw new Error(`${call.path} does not say what is listened to.`);
  if (!rateLimit) throw new Error(`${call.path} does not say how often it may be opened.`);
  const schema = strictQuery(call) as Query;
  app.route({
    method: ['GET', 'HEAD'],
    url: call.path,
    config: { call, rateLimit: toWindow(rateLimit), isStream: true },
    handler: async (request, reply) => {
      const query = parse(schema, request.query);
      app.eventStreams.open(request, reply, (send) => subscribe(query, send));
      return reply;
    },
  });
}
