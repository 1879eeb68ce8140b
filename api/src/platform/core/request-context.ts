import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { CacheTag } from '@parts-forge/contract/call';

/** What everything that happens for one request, or for one run of a job, has in common. */
export interface RequestContext {
  /** Unique in the world; on every log line, in the answer's `X-Request-Id`, and what a customer quotes. */
  requestId: string;
  /** Set while the shop asks itself: collects what the answers depend on. */
  dependencies?: Set<CacheTag>;
}

const storage = new AsyncLocalStorage<RequestContext>();
/** For what this process does outside of requests and jobs, such as starting. */
const processContext: RequestContext = { requestId: randomUUID() };

export const requestContext = {
  /** The context of what is being done now; the process's own outside of requests and jobs. */
  current: (): RequestContext => storage.getStore() ?? processContext,
  run: <T>(context: RequestContext, work: () => T): T => storage.run(context, work),
};
