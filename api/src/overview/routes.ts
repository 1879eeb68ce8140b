import {
  readMonth as readMonthCall,
  readOverview as readOverviewCall,
} from '@parts-forge/contract/orders/overview';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { readMonth } from './read-month.ts';
import { readOverview } from './read-overview.ts';

export function registerOverview(app: FastifyInstance, platform: Platform): void {
  serveCall(app, readOverviewCall, () => readOverview(platform));
  serveCall(app, readMonthCall, ({ query: { month } }) => readMonth(platform, month));
}
