import type { CacheTag } from '@parts-forge/contract/call';
import type { FastifyInstance } from 'fastify';
import { requestContext } from '#src/platform/core/request-context.ts';

/**
 * Makes calls without leaving the process, as the loaders of one page do; the contract stays the only way in.
 * Collects what the answers depend on, so that the cached page can be invalidated when that changes.
 */
export function createInProcessClient(app: FastifyInstance) {
  const dependencies = new Set<CacheTag>();
  let hasFailed = false;
  let ageSeconds = 0;
  return {
    dependencies: dependencies as ReadonlySet<CacheTag>,
    /** Whether a call could not be answered: a page made of it must not be cached. */
    get hasFailed() {
      return hasFailed;
    },
    /** How old the oldest answer is, in seconds; 0 when all were made now. */
    get ageSeconds() {
      return ageSeconds;
    },
    async call(path: string): Promise<Response> {
      const { requestId, hasJustWritten = false } = requestContext.current();
      // Awaited within the context, as `inject` makes the request only when it is awaited.
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
