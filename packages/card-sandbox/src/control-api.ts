import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';
import { type Control, changeSchema } from './control.ts';
import type { Dependencies } from './dependencies.ts';
import { listObjects } from './object-store.ts';

/** For tests only: any client can inject faults and read all payments. */
export function registerControlApi(
  app: FastifyInstance,
  { db, control, wakeDeliveries }: Dependencies & { control: Control },
): void {
  app.get('/sandbox/stripe/control', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return {
      ...(await control.read()),
      intents: await listObjects(db, 'payment_intent'),
      refunds: await listObjects(db, 'refund'),
      disputes: await listObjects(db, 'dispute'),
      deliveries: await listObjects(db, 'delivery'),
      events: (await listObjects(db, 'event')).map(({ id, type, pending_webhooks }) => ({
        id,
        type,
        pending_webhooks,
      })),
    };
  });

  app.post('/sandbox/stripe/control', async (request, reply) => {
    const change = changeSchema.safeParse(request.body);
    if (!change.success) return reply.code(422).send({ error: change.error.issues });
    try {
      await control.change(change.data);
    } catch (error) {
      if (error instanceof ApiError) return reply.code(error.status).send({ error: error.details });
      throw error;
    }
    wakeDeliveries();
    return { acknowledged: true };
  });
}
