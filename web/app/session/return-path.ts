import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';

export const buildLoginPath = (path: string): string => `/login?from=${encodeURIComponent(path)}`;

/** The home page for other addresses, which have many forms (`//evil`, `/\evil`, `/.//evil`). */
export function parseReturnPath(from: string | null): string {
  if (!from?.startsWith('/')) return '/';
  const base = 'http://shop.invalid';
  if (!URL.canParse(from, base)) return '/';
  const { origin, pathname, search, hash } = new URL(from, base);
  if (origin !== base || pathname.startsWith('//')) return '/';
  return pathname + search + hash;
}

/** Null during hydration, as the server renders without it. */
export function useFromParameter(): string | null {
  const { search } = useLocation();
  return useSyncExternalStore(
    subscribeToNothing,
    () => new URLSearchParams(search).get('from'),
    () => null,
  );
}

const subscribeToNothing = () => () => {};
