import type { Call } from '@parts-forge/contract/call';
import type { FastifyInstance } from 'fastify';
import type * as z from 'zod/mini';
import type { SendEvents } from './event-streams.ts';
import { parse } from './validation.ts';

/**
 * Registers a call of the contract that is answered with a stream of events; outside the limit on requests, as streams are
 * bounded by themselves.
 * @param subscribe begins to send the events; what it gives back is called when the stream has ended
 */
export function serveEvents<Query extends z.ZodMiniObject>(
  app: FastifyInstance,
  call: Call<undefined, Query, undefined, z.ZodMiniType, 'everyone'>,
  subscribe: (query: z.output<Query>, send: SendEvents) => () => void,
): void {
  const { query: schema } = call;
  if (!schema) throw new Error(`${call.path} does not say what is listened to.`);
  app.route({
    method: ['GET', 'HEAD'],
    url: call.path,
    config: { call, rateLimit: false, isStream: true },
    handler: async (request, reply) => {
      const query = parse(schema, request.query);
      app.eventStreams.open(request, reply, (send) => subscribe(query, send));
      return reply;
    },
  });
}
