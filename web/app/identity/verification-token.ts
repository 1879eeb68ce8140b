import { useEffect } from 'react';
import { useLinkToken } from './link-token.ts';

/** In this tab, so that it survives the way to /login, whose URL reaches the server. */
const STORED_AS = 'verification-token';

/**
 * From the fragment or this tab's storage. Null without one; empty during hydration, as the server cannot see
 * it.
 */
export function useVerificationToken(): string | null {
  const given = useLinkToken(() => inTab((storage) => storage.getItem(STORED_AS)));
  useEffect(() => {
    if (given) inTab((storage) => storage.setItem(STORED_AS, given));
  }, [given]);
  return given;
}

export const forgetVerificationToken = () => inTab((storage) => storage.removeItem(STORED_AS));

/** Null where the browser forbids storage. */
function inTab<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
