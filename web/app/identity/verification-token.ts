import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';

/** In the tab alone, so that it survives the way to /login and back, whose address goes to the server. */
const STORED_AS = 'verification-token';

/**
 * The secret of the link that proves an address: the address's fragment, or what this tab was opened with before.
 * Null without one, empty during hydration: the server does not see it.
 */
export function useVerificationToken(): string | null {
  const { hash } = useLocation();
  const given = useSyncExternalStore(
    subscribeToNothing,
    () => new URLSearchParams(hash.slice(1)).get('token') ?? sessionStorage.getItem(STORED_AS),
    () => '',
  );
  useEffect(() => {
    if (given) sessionStorage.setItem(STORED_AS, given);
  }, [given]);
  return given;
}

/** The link was used, or is of no use. */
export const forgetVerificationToken = (): void => sessionStorage.removeItem(STORED_AS);

const subscribeToNothing = () => () => {};
