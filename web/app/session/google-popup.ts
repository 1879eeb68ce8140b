import { messages } from '@parts-forge/contract/calls/messages';
import { googlePopupPath, googleRefusals } from '@parts-forge/contract/people/identity-service';
import { IdentityError } from '#app/http/errors.ts';
import { createId } from '#app/ui/create-id.ts';
import { askIdentityService } from './ask-identity-service.ts';
import type { IdentityUser } from './identity-client.ts';
import { PopupClosedError } from './popup-closed-error.ts';

/** `popup.js` uses the same name. */
const CHANNEL = 'google-sign-in';
const CLOSED_CHECK_MS = 500;
/** On a busy machine, the window's last message may arrive after it closes. */
const LOOKS_AFTER_CLOSING = 3;

const popupBlocked =
  'The browser has blocked the window of Google. Allow pop-up windows for this shop and try again.';
const popupClosed = 'The window of Google was closed before the sign-in was done.';
const failed = 'The sign-in with Google has failed. Please try again.';
const passwordNeeded = 'This account signs in with its password.';
const tookTooLong = 'The sign-in with Google took too long. Please try again.';

const sentences = new Map<string, string>([
  ['access_denied', 'The sign-in with Google was cancelled.'],
  [googleRefusals.addressNotProven, 'Google has not verified this email address.'],
  [googleRefusals.passwordNeeded, passwordNeeded],
  [googleRefusals.notJoined, passwordNeeded],
  [googleRefusals.otherGoogleAccount, 'This email address belongs to another Google account in this shop.'],
  [googleRefusals.expired, tookTooLong],
]);

/**
 * @param popup null if the browser blocked it
 * @throws IdentityError, such as `PopupClosedError`; OfflineError
 */
export async function signInThroughPopup(
  popup: Window | null,
  readUser: () => Promise<IdentityUser | null>,
): Promise<IdentityUser> {
  if (!popup) throw new IdentityError(popupBlocked, { code: 'popup-blocked' });
  // A page in the window could navigate this one.
  popup.opener = null;
  const id = createId();
  try {
    popup.location.replace(await requestAddress(id));
  } catch (error) {
    popup.close();
    throw error;
  }
  return waitForPopup(popup, id, async () => {
    const user = await readUser();
    if (!user) throw new IdentityError(failed);
    return user;
  });
}

async function requestAddress(id: string): Promise<string> {
  const popupAddress = `${googlePopupPath}?id=${id}`;
  try {
    const { url } = await askIdentityService<{ url: string }>('POST', '/identity/sign-in/social', {
      provider: 'google',
      callbackURL: popupAddress,
      errorCallbackURL: popupAddress,
      disableRedirect: true,
    });
    return url;
  } catch (error) {
    const isMissing = error instanceof IdentityError && error.status === 404;
    throw isMissing ? new IdentityError(messages.googleNotSetUp) : error;
  }
}

function waitForPopup(
  popup: Window,
  id: string,
  readUser: () => Promise<IdentityUser>,
): Promise<IdentityUser> {
  const { promise: identified, resolve } = Promise.withResolvers<IdentityUser>();
  const { promise: closed, reject } = Promise.withResolvers<never>();
  let looks = 0;
  const timer = setInterval(() => {
    if (!popup.closed) return;
    looks += 1;
    if (looks <= LOOKS_AFTER_CLOSING) return;
    clearInterval(timer);
    reject(new PopupClosedError(popupClosed, identified));
  }, CLOSED_CHECK_MS);
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<{ id: string; error?: string | null; isHeard?: true }>) => {
    if (data.id !== id || data.isHeard) return;
    clearInterval(timer);
    channel.postMessage({ id, isHeard: true });
    channel.close();
    resolve(data.error ? Promise.reject(describeRefusal(data.error)) : readUser());
  };
  return Promise.race([identified, closed]);
}

const describeRefusal = (code: string) => new IdentityError(sentences.get(code) ?? failed, { code });
