import { useSyncExternalStore } from 'react';
import { setAccountAttribute } from './account-attribute.ts';
import { embeddedIdentity } from './embedded-identity.ts';
import { LOADING, type SessionState, SessionStore } from './session-store.ts';

/**
 * The session of this page. This is the one place that chooses the identity service's client; the server names the
 * service in `GET /config`, and there is a client for the embedded one only.
 */
export const session = new SessionStore(embeddedIdentity);

/** The session, for components; `loading` on the server and until the service has answered. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, getState, getServerState);
}

const getState = () => session.getState();
const getServerState = () => LOADING;

function subscribe(listener: () => void): () => void {
  // A page that failed is drawn anew from its root, without the head's script; so is the one after it.
  const { status } = session.getState();
  setAccountAttribute(status === 'loading' ? session.hasAccessToken() : status === 'signed-in');
  return session.subscribe(listener);
}
