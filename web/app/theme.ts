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

/** The theme in use; 'light' until the browser has spoken. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, () => 'light');
}

export function currentTheme(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

/** Puts the theme on the page and keeps it for the next visit. */
export function setTheme(theme: Theme): void {
  show(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const followOtherTabs = (event: StorageEvent) => {
    if (event.key === key && (event.newValue === 'light' || event.newValue === 'dark')) show(event.newValue);
  };
  addEventListener('storage', followOtherTabs);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', followOtherTabs);
  };
}
