import type { CacheTag } from '@parts-forge/contract/calls/call';
import type { FastifyInstance } from 'fastify';
import { requestContext } from '#src/platform/core/request-context.ts';

/** Collects the responses' tags, which invalidate the cached page. */
export function createInProcessClient(app: FastifyInstance) {
  const dependencies = new Set<CacheTag>();
  let hasFailed = false;
  let ageSeconds = 0;
  return {
    dependencies: dependencies as ReadonlySet<CacheTag>,
    get hasFailed() {
      return hasFailed;
    },
    get ageSeconds() {
      return ageSeconds;
    },
    async call(path: string): Promise<Response> {
      const { requestId, hasJustWritten = false } = requestContext.current();
      // `inject` sends the request only when awaited.
      const answer = await requestContext.run(
        { requestId, dependencies, hasJustWritten },
        async () => await app.inject({ method: 'GET', url: path }),
      );
      if (answer.statusCode >= 500 || answer.statusCode === 429) hasFailed = true;
      ageSeconds = Math.max(ageSeconds, Number(answer.headers.age ?? 0));
      const headers = new Headers();
      for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
      const hasBody = ![204, 304].includes(answer.statusCode);
      return new Response(hasBody ? new Uint8Array(answer.rawPayload) : null, {
        status: answer.statusCode,
        headers,
      });
    },
  };
}
