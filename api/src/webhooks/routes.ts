import * as calls from '@parts-forge/contract/events/webhooks';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { sendDelivery } from './send-webhooks.ts';
import { changeWebhook, createWebhook, deleteWebhook, findWebhooks } from './webhooks.ts';

export function registerWebhooks(app: FastifyInstance, platform: Platform): void {
  const { db } = platform.database;
  serveCall(app, calls.createWebhook, ({ actor, body }) => createWebhook(platform, actor, body));
  serveCall(app, calls.listWebhooks, async () => ({ data: await findWebhooks(db) }));
  serveCall(app, calls.changeWebhook, ({ actor, params: { id }, body }) =>
    changeWebhook(platform, actor, id, body),
  );
  serveCall(app, calls.deleteWebhook, async ({ actor, params: { id } }) => {
    await deleteWebhook(platform, actor, id);
    return { deletedCount: 1 };
  });
  serveCall(app, calls.sendDelivery, async ({ actor, params: { id }, body: { event } }) => ({
    data: await sendDelivery(platform, actor, id, event),
  }));
}
