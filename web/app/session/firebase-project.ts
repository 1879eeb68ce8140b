import type { FirebaseProject } from '@parts-forge/contract/identity';

/** Name of a `<meta>` in every page of a shop on Firebase. A call would come too late for scripts. */
export const FIREBASE_PROJECT = 'firebase-project';

/** The shop's Firebase project; null with the embedded service. */
export function readFirebaseProject(): FirebaseProject | null {
  if (typeof document === 'undefined') return null;
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${FIREBASE_PROJECT}"]`);
  return meta && (JSON.parse(meta.content) as FirebaseProject);
}
