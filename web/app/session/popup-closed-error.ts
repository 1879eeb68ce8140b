import { IdentityError } from '#app/http/errors.ts';
import type { IdentityUser } from './identity-client.ts';

/**
 * The window of a sign-in has been closed, or only looks so: a page in it can cut it off from ours, and somebody is still
 * typing there.
 */
export class PopupClosedError extends IdentityError {
  /** The sign-in where it comes after all; pending for ever where the window was closed. */
  readonly late: Promise<IdentityUser>;

  constructor(message: string, late: Promise<IdentityUser>) {
    super(message, { code: 'popup-closed-by-user' });
    this.late = late;
  }
}
