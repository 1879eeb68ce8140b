import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { CacheTag } from '@parts-forge/contract/call';
import type { ActorKind } from '@parts-forge/contract/trail-events';

/** On whose behalf something is done; `id` is the user's, null for whoever has no account. */
export interface ContextActor {
  kind: ActorKind;
  id: string | null;
}

/** What everything that happens for one request, or for one run of a job, has in common. */
export interface RequestContext {
  /** Unique in the world; on every log line, in the answer's `X-Request-Id`, and what a customer quotes. */
  requestId: string;
  /** Absent until somebody has proven who they are. */
  actor?: ContextActor;
  /** Set while the shop asks itself: collects what the answers depend on. */
  dependencies?: Set<CacheTag>;
  /** Set for a browser that has written within the last two seconds: its reads bypass the response cache. */
  hasJustWritten?: boolean;
}

/** What the shop does by itself. */
export const SYSTEM: ContextActor = { kind: 'system', id: null };

/** Whoever runs the shop, by a command on its machine. */
export const OPERATOR: ContextActor = { kind: 'operator', id: null };
/** The payment provider, by an event whose signature was checked. */
export const PROVIDER: ContextActor = { kind: 'provider', id: null };

const storage = new AsyncLocalStorage<RequestContext>();
/** For what this process does outside of requests and jobs, such as starting. */
const processContext: RequestContext = { requestId: randomUUID(), actor: SYSTEM };

export const requestContext = {
  /** The context of what is being done now; the process's own outside of requests and jobs. */
  current: (): RequestContext => storage.getStore() ?? processContext,
  run: <T>(context: RequestContext, work: () => T): T => storage.run(context, work),
  /** From now on what is done for this request is done by this actor. Nothing happens outside of requests and jobs. */
  setActor(actor: ContextActor): void {
    const context = storage.getStore();
    if (context) context.actor = actor;
  },
};
