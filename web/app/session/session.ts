import { useSyncExternalStore } from 'react';
import { setAccountAttribute } from './account-attribute.ts';
import { embeddedIdentity } from './embedded-identity.ts';
import { createFirebaseLoader } from './firebase-loader.ts';
import { readFirebaseProject } from './firebase-project.ts';
import type { IdentityClient } from './identity-client.ts';
import { LOADING, type SessionState, SessionStore } from './session-store.ts';

export const session = new SessionStore(chooseIdentityClient());

function chooseIdentityClient(): IdentityClient {
  const project = readFirebaseProject();
  return project ? createFirebaseLoader(project) : embeddedIdentity;
}

/** False for a sign-in that ran out. */
export function hasSignedOut(): boolean {
  const state = session.getState();
  return state.status === 'signed-out' && !state.hasExpired;
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, getState, getServerState);
}

const getState = () => session.getState();
const getServerState = () => LOADING;

function subscribe(listener: () => void): () => void {
  // An error page, and the page after it, render without the head's script.
  const { status } = session.getState();
  setAccountAttribute(status === 'loading' ? session.hasAccessToken() : status === 'signed-in');
  return session.subscribe(listener);
}
