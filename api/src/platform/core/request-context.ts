import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { CacheTag } from '@parts-forge/contract/call';
import type { ActorKind } from '@parts-forge/contract/trail-events';

/** The actor of a request or job; `id` is the user's, null without an account. */
export interface ContextActor {
  kind: ActorKind;
  id: string | null;
}

/** Shared by all work for one request or one run of a job. */
export interface RequestContext {
  /** Globally unique; in every log line and `X-Request-Id`. Customers can quote it. */
  requestId: string;
  /** Absent until the caller is authenticated. */
  actor?: ContextActor;
  /** Set for the shop's own calls to itself: collects the tags that the answers depend on. */
  dependencies?: Set<CacheTag>;
  /** The browser wrote within the last two seconds: its reads bypass the response cache. */
  hasJustWritten?: boolean;
}

/** The shop acting by itself. */
export const SYSTEM: ContextActor = { kind: 'system', id: null };

/** The person who runs commands on the shop's machine. */
export const OPERATOR: ContextActor = { kind: 'operator', id: null };
/** The payment provider, by an event with a verified signature. */
export const PROVIDER: ContextActor = { kind: 'provider', id: null };

const storage = new AsyncLocalStorage<RequestContext>();
/** For work outside of requests and jobs, such as starting. */
const processContext: RequestContext = { requestId: randomUUID(), actor: SYSTEM };

export const requestContext = {
  /** The current context; outside of requests and jobs, the process's own. */
  current: (): RequestContext => storage.getStore() ?? processContext,
  run: <T>(context: RequestContext, work: () => T): T => storage.run(context, work),
  /** Sets the actor of the current request. Does nothing outside of requests and jobs. */
  setActor(actor: ContextActor): void {
    const context = storage.getStore();
    if (context) context.actor = actor;
  },
};
