import { messages } from '@parts-forge/contract/messages';
import { useRouteLoaderData } from 'react-router';
import { IdentityError } from '#app/http/errors.ts';
import { session } from '#app/session/session.ts';

/**
 * Signs in with Google; to be called in the handler of the click itself. Whether the shop has Google (`GET /config`) is
 * known from the first moment, as the server renders it into every page: no window opens only to be closed again.
 * @returns a function that throws as `SessionStore.signInWithGoogle`, and IdentityError where the shop has no Google
 */
export function useGoogleSignIn(): () => Promise<void> {
  const hasGoogle = useRouteLoaderData<{ google: boolean }>('root')?.google ?? false;
  return async () => {
    if (!hasGoogle) throw new IdentityError(messages.googleNotSetUp);
    await session.signInWithGoogle();
  };
}
