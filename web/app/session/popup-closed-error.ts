import { IdentityError } from '#app/http/errors.ts';
import type { IdentityUser } from './identity-client.ts';

/** A page in the window can cut its connection to ours, so it may only look closed. */
export class PopupClosedError extends IdentityError {
  /** Pending for ever if the window was really closed. */
  readonly late: Promise<IdentityUser>;

  constructor(message: string, late: Promise<IdentityUser>) {
    super(message, { code: 'popup-closed-by-user' });
    this.late = late;
  }
}
