import { useSyncExternalStore } from 'react';
import { setAccountAttribute } from './account-attribute.ts';
import { embeddedIdentity } from './embedded-identity.ts';
import { createFirebaseLoader } from './firebase-loader.ts';
import { readFirebaseProject } from './firebase-project.ts';
import type { IdentityClient } from './identity-client.ts';
import { LOADING, type SessionState, SessionStore } from './session-store.ts';

/** The session of this page. */
export const session = new SessionStore(chooseIdentityClient());

/** The one place that chooses the identity service's client, by what the server says in every page. */
function chooseIdentityClient(): IdentityClient {
  const project = readFirebaseProject();
  return project ? createFirebaseLoader(project) : embeddedIdentity;
}

/** Somebody ended their sign-in; one that ran out by itself is expected to go on. */
export function hasSignedOut(): boolean {
  const state = session.getState();
  return state.status === 'signed-out' && !state.hasExpired;
}

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
