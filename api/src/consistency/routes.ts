import { readProof } from '@parts-forge/contract/overview';
import type { FastifyInstance } from 'fastify';
import type { PaymentServices } from '#src/payments/payment-services.ts';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import { proveMonth } from './prove-month.ts';

export function registerProof(app: FastifyInstance, services: PaymentServices): void {
  serveCall(app, readProof, ({ query: { month } }) => proveMonth(services, month));
}
