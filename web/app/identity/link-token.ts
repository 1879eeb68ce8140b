import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';

/** From the fragment of a link, or another place. Null without one. Empty during hydration: the server does not see it. */
export function useLinkToken(findOther = (): string | null => null): string | null {
  const { hash } = useLocation();
  return useSyncExternalStore(
    subscribeToNothing,
    () => new URLSearchParams(hash.slice(1)).get('token') ?? findOther(),
    () => '',
  );
}

const subscribeToNothing = () => () => {};
