import { useSyncExternalStore } from 'react';
import { storeIn } from './browser-storage.ts';

export type ListView = 'grid' | 'list';

const KEY = 'list-view';

/** Before the first paint: the server renders the grid, which must not flash where a list is chosen. */
export const listViewScript = `try{document.documentElement.dataset.view=localStorage.getItem('${KEY}')||''}catch(e){}`;

const listeners = new Set<() => void>();

const read = (): ListView => (document.documentElement.dataset.view === 'list' ? 'list' : 'grid');

/** Chosen on this device; the grid on the server and during hydration. */
export const useListView = (): ListView => useSyncExternalStore(subscribe, read, () => 'grid');

export function setListView(view: ListView): void {
  document.documentElement.dataset.view = view;
  storeIn('localStorage', KEY, view);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
