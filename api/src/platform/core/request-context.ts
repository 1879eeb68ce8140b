import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { CacheTag } from '@parts-forge/contract/calls/call';
import type { ActorKind } from '@parts-forge/contract/events/trail-events';

/** Null without an account. */
export interface ContextActor {
  kind: ActorKind;
  id: string | null;
  /** The key that acts for the account. */
  keyId?: string | undefined;
}

export interface RequestContext {
  /** In every log line and `X-Request-Id`. */
  requestId: string;
  /** Absent until the caller is authenticated. */
  actor?: ContextActor;
  /** Id of an act whose mails of one kind are one. */
  mailAct?: string;
  /** Tags of responses to the shop's own calls. */
  dependencies?: Set<CacheTag>;
  /** The browser wrote within two seconds: its reads bypass the response cache. */
  hasJustWritten?: boolean;
}

export const SYSTEM: ContextActor = { kind: 'system', id: null };

/** Runs commands on the shop's machine. */
export const OPERATOR: ContextActor = { kind: 'operator', id: null };
export const PROVIDER: ContextActor = { kind: 'provider', id: null };

const storage = new AsyncLocalStorage<RequestContext>();
const processContext: RequestContext = { requestId: randomUUID(), actor: SYSTEM };

export const requestContext = {
  current: (): RequestContext => storage.getStore() ?? processContext,
  run: <T>(context: RequestContext, work: () => T): T => storage.run(context, work),
  runAsSystem: <T>(work: () => T): T => storage.run({ requestId: randomUUID(), actor: SYSTEM }, work),
  setActor(actor: ContextActor): void {
    const context = storage.getStore();
    if (context) context.actor = actor;
  },
};
