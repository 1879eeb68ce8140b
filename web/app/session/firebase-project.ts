import type { FirebaseProject } from '@parts-forge/contract/people/identity';

/** A call would come too late. */
export const FIREBASE_PROJECT = 'firebase-project';

export function readFirebaseProject(): FirebaseProject | null {
  if (typeof document === 'undefined') return null;
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${FIREBASE_PROJECT}"]`);
  return meta && (JSON.parse(meta.content) as FirebaseProject);
}
