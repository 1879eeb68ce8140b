import { useSyncExternalStore } from 'react';
import { storeIn } from '#app/ui/browser-storage.ts';

export type Theme = 'light' | 'dark';

/** Specification §4 and §9. */
const THEME_KEY = 'theme';

/** Runs before the first paint, so that the wrong theme never flashes. The first visit stores 'light'. */
export const themeScript = `try{var t=localStorage.getItem('${THEME_KEY}');if(t!=='light'&&t!=='dark')localStorage.setItem('${THEME_KEY}',t='light');document.documentElement.dataset.theme=t}catch(e){}`;

const listeners = new Set<() => void>();

/** As set by the head's script. */
let currentTheme: Theme =
  !import.meta.env.SSR && document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';

/** 'light' on the server and during hydration. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    subscribe,
    () => currentTheme,
    () => 'light',
  );
}

export function setTheme(theme: Theme): void {
  applyTheme(theme);
  storeIn('localStorage', THEME_KEY, theme);
}

function applyTheme(theme: Theme): void {
  currentTheme = theme;
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // A failed page renders again from its root, without the head's script.
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
