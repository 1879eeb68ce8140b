import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

/** Where the choice is kept (specification §4 and §9). */
const key = 'theme';

/**
 * Runs in the head before the first paint, so that the wrong theme never flashes. The first visit stores
 * 'light'. Storage may be forbidden: then the page stays light.
 */
export const themeScript = `try{var t=localStorage.getItem('${key}');if(t!=='light'&&t!=='dark')localStorage.setItem('${key}',t='light');document.documentElement.dataset.theme=t}catch(e){}`;

const listeners = new Set<() => void>();

/** As the head's script has put it on the page. */
let theme: Theme =
  !import.meta.env.SSR && document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';

/** The theme in use; 'light' until the browser has spoken. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    subscribe,
    () => theme,
    () => 'light',
  );
}

/** Puts the theme on the page and keeps it for the next visit. */
export function setTheme(chosen: Theme): void {
  show(chosen);
  try {
    localStorage.setItem(key, chosen);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function show(chosen: Theme): void {
  theme = chosen;
  document.documentElement.dataset.theme = chosen;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // A page that failed is drawn anew from its root, without the head's script; so is the one after it.
  document.documentElement.dataset.theme = theme;
  const followOtherTabs = (event: StorageEvent) => {
    if (event.key === key && (event.newValue === 'light' || event.newValue === 'dark')) show(event.newValue);
  };
  addEventListener('storage', followOtherTabs);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', followOtherTabs);
  };
}
