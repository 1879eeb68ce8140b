import { type Profile, profileSchema } from '@parts-forge/contract/users';
import * as z from 'zod/mini';

const key = 'profileDraft';
const draftSchema = z.object({ email: z.string(), profile: profileSchema });

/** Keeps what somebody typed while they sign in again, in this tab only. */
export function keepDraft(email: string, profile: Profile): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ email, profile }));
  } catch {
    // Without storage it cannot be kept.
  }
}

/** What the same person typed before signing in again, once; null when there is nothing. */
export function takeDraft(email: string): Profile | null {
  try {
    const kept = sessionStorage.getItem(key);
    if (kept === null) return null;
    sessionStorage.removeItem(key);
    const draft = draftSchema.safeParse(JSON.parse(kept));
    return draft.success && draft.data.email === email ? draft.data.profile : null;
  } catch {
    return null;
  }
}
