import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { session } from '#app/session/session.ts';

const adminNeededListeners = new Set<() => void>();
/** A page's reads begin before it stands: a refusal may be there before anybody listens. */
let hasUnheardRefusal = false;

/**
 * What the signed-in pages know of the shop. Only they import this: public pages are rendered on the server
 * and do not load it.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: reportRoleRefusal }),
  mutationCache: new MutationCache({ onError: reportRoleRefusal }),
  defaultOptions: {
    queries: {
      // A refusal is an answer; what did not arrive is tried twice more.
      retry: (failures, error) => failures < 2 && !isAnswer(error),
      // A page with a form must not be left because something was read again in the background.
      refetchOnWindowFocus: false,
    },
    // A write that cannot be sent fails at once; sent later, it could surprise the person who made it.
    mutations: { networkMode: 'always' },
  },
});

let lastEmail: string | null = null;
session.subscribe(() => {
  const state = session.getState();
  if (state.status === 'loading' || (state.status === 'signed-out' && state.keepsPage)) return;
  const email = state.status === 'signed-in' ? state.user.email : null;
  // What one person saw must not be shown to the next.
  if (lastEmail !== null && email !== lastEmail) queryClient.clear();
  lastEmail = email;
});

/** Calls `listener` when a call was refused because the caller is no administrator (any more). Returns how to stop. */
export function onAdminNeeded(listener: () => void): () => void {
  adminNeededListeners.add(listener);
  if (hasUnheardRefusal) {
    hasUnheardRefusal = false;
    listener();
  }
  return () => adminNeededListeners.delete(listener);
}

function reportRoleRefusal(error: Error): void {
  if (!(error instanceof ShopProblem)) return;
  if (error.code !== 'admin-needed' && error.code !== 'customers-only') return;
  void queryClient.invalidateQueries({ queryKey: ['user'] });
  if (error.code !== 'admin-needed') return;
  hasUnheardRefusal = adminNeededListeners.size === 0;
  for (const listener of adminNeededListeners) listener();
}

function isAnswer(error: Error): boolean {
  return error instanceof SignedOutError || (error instanceof ShopProblem && error.status < 500);
}
