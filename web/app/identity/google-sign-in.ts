import { messages } from '@parts-forge/contract/calls/messages';
import { useRouteLoaderData } from 'react-router';
import { IdentityError } from '#app/http/errors.ts';
import { session } from '#app/session/session.ts';

/**
 * Call it directly in the click handler. The server renders into every page whether Google is set up, so no
 * window opens in vain.
 * @returns a function that throws like `SessionStore.signInWithGoogle`, and IdentityError without Google
 */
export function useGoogleSignIn(): () => Promise<void> {
  const hasGoogle = useRouteLoaderData<{ google: boolean }>('root')?.google ?? false;
  return async () => {
    if (!hasGoogle) throw new IdentityError(messages.googleNotSetUp);
    await session.signInWithGoogle();
  };
}
