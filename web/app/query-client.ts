import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ShopProblem, SignedOutError } from './errors/errors.ts';
import { session } from './identity/session.ts';

const roleListeners = new Set<() => void>();
/** A page's reads begin before it stands: a refusal may be there before anybody listens. */
let isRoleLossUnheard = false;

/**
 * What the signed-in pages know of the shop. Only they import this: public pages are rendered on the server
 * and do not load it.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeLostRole }),
  mutationCache: new MutationCache({ onError: noticeLostRole }),
  defaultOptions: {
    queries: {
      // A refusal is an answer; what did not arrive is tried twice more.
      retry: (failures, error) => failures < 2 && !isAnswer(error),
      // A page with a form must not be left because something was read again in the background.
      refetchOnWindowFocus: false,
    },
    // A write that cannot be sent fails at once and is not sent later behind one's back.
    mutations: { networkMode: 'always' },
  },
});

let shownTo: string | null = null;
session.subscribe(() => {
  const now = session.getState();
  if (now.status === 'loading' || (now.status === 'signed-out' && now.keepsPage)) return;
  const email = now.status === 'signed-in' ? now.user.email : null;
  // What one person saw is not there for the next.
  if (shownTo !== null && email !== shownTo) queryClient.clear();
  shownTo = email;
});

/** Calls `listener` when a call was refused because the caller is no administrator (any more). */
export function onAdminNeeded(listener: () => void): () => void {
  roleListeners.add(listener);
  if (isRoleLossUnheard) {
    isRoleLossUnheard = false;
    listener();
  }
  return () => roleListeners.delete(listener);
}

function noticeLostRole(error: Error): void {
  if (!(error instanceof ShopProblem)) return;
  if (error.code !== 'admin-needed' && error.code !== 'customers-only') return;
  void queryClient.invalidateQueries({ queryKey: ['user'] });
  if (error.code !== 'admin-needed') return;
  isRoleLossUnheard = roleListeners.size === 0;
  for (const listener of roleListeners) listener();
}

function isAnswer(error: Error): boolean {
  return error instanceof SignedOutError || (error instanceof ShopProblem && error.status < 500);
}
