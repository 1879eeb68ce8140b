import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { session } from '#app/session/session.ts';

const adminNeededListeners = new Set<() => void>();
/** Queries start before the page's listeners subscribe. */
let hasUnheardRefusal = false;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: reportRoleRefusal }),
  mutationCache: new MutationCache({ onError: reportRoleRefusal }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && !isAnswer(error),
      // A background read must not end the use of a form.
      refetchOnWindowFocus: false,
    },
    // Sent later, a write could surprise its author.
    mutations: { networkMode: 'always' },
  },
});

let lastEmail: string | null = null;
session.subscribe(() => {
  const state = session.getState();
  if (state.status === 'loading' || (state.status === 'signed-out' && state.keepsPage)) return;
  const email = state.status === 'signed-in' ? state.user.email : null;
  // The next user must not see the previous user's data.
  if (lastEmail !== null && email !== lastEmail) queryClient.clear();
  lastEmail = email;
});

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
