import { useEffect } from 'react';
import { readFrom, storeIn } from '#app/ui/browser-storage.ts';
import { useLinkToken } from './link-token.ts';

/** In this tab, so that it survives the way to /login, whose URL reaches the server. */
const STORED_AS = 'verification-token';

/**
 * From the fragment or this tab's storage. Null without one; empty during hydration, as the server cannot see
 * it.
 */
export function useVerificationToken(): string | null {
  const given = useLinkToken(() => readFrom<string>('sessionStorage', STORED_AS));
  useEffect(() => {
    if (given) storeIn('sessionStorage', STORED_AS, JSON.stringify(given));
  }, [given]);
  return given;
}

export const forgetVerificationToken = () => storeIn('sessionStorage', STORED_AS, null);
