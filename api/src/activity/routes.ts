import {
  listActivity,
  readOrderTrail as readOrderTrailCall,
  readStockLedger,
} from '@parts-forge/contract/events/trail';
import type { FastifyInstance } from 'fastify';
import { sumUnpaidOrders } from '#src/orders/count-orders.ts';
import { serveCall, serveList } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findActivity } from './find-activity.ts';
import { findStockLedger } from './find-stock-ledger.ts';
import { readOrderTrail } from './read-order-trail.ts';

export function registerActivity(app: FastifyInstance, { database: { db } }: Platform): void {
  serveList(app, listActivity, ({ query }) => findActivity(db, query));

  serveList(app, readStockLedger, async ({ actor, params: { id }, query }) => {
    const page = await findStockLedger(db, actor, id, query);
    return { ...page, beside: { held: (await sumUnpaidOrders(db, id)).pieces } };
  });

  serveCall(app, readOrderTrailCall, async ({ actor, params: { id }, query: { purchase } }) => ({
    data: await readOrderTrail(db, actor, id, purchase === 'true'),
  }));
}
