import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

/** Under which name the choice is stored in the browser (specification §4 and §9). */
const THEME_KEY = 'theme';

/**
 * Runs in the head before the first paint, so that the wrong theme never flashes. The first visit stores
 * 'light'. Storage may be forbidden: then the page stays light.
 */
export const themeScript = `try{var t=localStorage.getItem('${THEME_KEY}');if(t!=='light'&&t!=='dark')localStorage.setItem('${THEME_KEY}',t='light');document.documentElement.dataset.theme=t}catch(e){}`;

const listeners = new Set<() => void>();

/** As the head's script has put it on the page. */
let currentTheme: Theme =
  !import.meta.env.SSR && document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';

/** The theme in use; 'light' on the server and while the page comes to life. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    subscribe,
    () => currentTheme,
    () => 'light',
  );
}

/** Puts the theme on the page and stores it for the next visit. */
export function setTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function applyTheme(theme: Theme): void {
  currentTheme = theme;
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // A page that failed is drawn anew from its root, without the head's script; so is the one after it.
  document.documentElement.dataset.theme = currentTheme;
  addEventListener('storage', followOtherTabs);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', followOtherTabs);
  };
}

function followOtherTabs({ key, newValue }: StorageEvent): void {
  if (key === THEME_KEY && (newValue === 'light' || newValue === 'dark')) applyTheme(newValue);
}
