import { createPrivateKey } from 'node:crypto';
import * as z from 'zod/mini';

/** A project of Firebase that knows who people are, in place of the embedded service. */
export interface FirebaseSettings {
  projectId: string;
  /** Public: every browser gets it. */
  apiKey: string;
  /** Host of the project's sign-in by popup, such as `parts-forge.firebaseapp.com`. */
  authDomain: string;
  /** Who deletes accounts there; null: nobody does. */
  serviceAccount: { clientEmail: string; privateKey: string } | null;
}

export interface FirebaseConfig {
  /** Null: the embedded identity service. */
  firebase: FirebaseSettings | null;
}

const serviceAccountKey = z.object({
  type: z.literal('service_account'),
  project_id: z.string(),
  client_email: z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/)),
  private_key: z.string().check(z.refine(isRsaKey)),
});

/** Google's key file of a service account; null for anything else. */
export function parseServiceAccount(text: string): z.output<typeof serviceAccountKey> | null {
  try {
    return serviceAccountKey.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
