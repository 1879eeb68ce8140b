import { IdentityError } from '#app/http/errors.ts';
import type { IdentityUser } from './identity-client.ts';

/**
 * The window was closed, or only looks so: a page in it can cut its connection to ours while the user still
 * types.
 */
export class PopupClosedError extends IdentityError {
  /** The sign-in if it still succeeds; pending for ever if the window was closed. */
  readonly late: Promise<IdentityUser>;

  constructor(message: string, late: Promise<IdentityUser>) {
    super(message, { code: 'popup-closed-by-user' });
    this.late = late;
  }
}
