import type { FirebaseProject } from '@parts-forge/contract/identity';

/** The `<meta>` of every page of a shop on Firebase. It is there before any script of ours runs; a call would be late. */
export const FIREBASE_PROJECT = 'firebase-project';

/** The project of Firebase that signs people in here; null where the identity service is the embedded one. */
export function readFirebaseProject(): FirebaseProject | null {
  if (typeof document === 'undefined') return null;
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${FIREBASE_PROJECT}"]`);
  return meta && (JSON.parse(meta.content) as FirebaseProject);
}
