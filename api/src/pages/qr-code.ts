import { LABEL_HASH } from '@parts-forge/contract/products/part-rules';
import type { FastifyInstance } from 'fastify';
import encodeQR from 'qr';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { sendCached } from '#src/platform/http/cache/send-cached.ts';
import { createInProcessClient } from '#src/platform/http/in-process-client.ts';
import { resolveOrigin } from './origin.ts';

/** White modules that scanners require (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * `/products/{id}/qr.svg`, for labels. The address omits the name: modules are larger, and renaming breaks no
 * label. A scratched quarter may be lost.
 */
export function registerQrCodes(app: FastifyInstance, config: Pick<Config, 'origin'>): void {
  app.get<{ Params: { id: string } }>('/products/:id/qr.svg', async (request, reply) => {
    const { id } = request.params;
    const origin = resolveOrigin(request, config);
    const renderCode = async () => {
      const { call, dependencies } = createInProcessClient(app);
      const response = await call(`/product/${encodeURIComponent(id)}`);
      if (response.status === 404) throw new Problem('not-found');
      if (!response.ok) throw new Problem('unavailable', { retryAfterSeconds: 1 });
      const { data } = (await response.json()) as { data?: { _id: string } };
      // `/product/facets` is no part.
      if (!data) throw new Problem('not-found');
      const address = `${origin}/products/${data._id}${LABEL_HASH}`;
      const body = encodeQR(address, 'svg', { ecc: 'quartile', border: QUIET_ZONE });
      return { headers: { 'content-type': 'image/svg+xml' }, body, dependencies };
    };
    const path = `/products/${encodeURIComponent(id)}/qr.svg`;
    const key = config.origin === null ? `${origin}${path}` : path;
    return sendCached(request, reply, await app.responses.get(key, renderCode));
  });
}
