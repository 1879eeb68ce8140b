import { messages } from '@parts-forge/contract/calls/messages';
import { IdentityError } from '#app/http/errors.ts';
import { session } from '#app/session/session.ts';
import { usePageSettings } from '#app/ui/shop.tsx';

/**
 * Call it directly in the click handler. The server renders into every page whether Google is set up, so no
 * window opens in vain.
 * @returns a function that throws like `SessionStore.signInWithGoogle`, and IdentityError without Google
 */
export function useGoogleSignIn(): () => Promise<void> {
  const { google } = usePageSettings();
  return async () => {
    if (!google) throw new IdentityError(messages.googleNotSetUp);
    await session.signInWithGoogle();
  };
}
