import { listEvents } from '@parts-forge/contract/events/events';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { readEvents } from './store.ts';

export function registerEvents(app: FastifyInstance, { database: { db } }: Platform): void {
  serveCall(app, listEvents, ({ query: { after = 0, limit, types } }) => readEvents(db, after, limit, types));
}
