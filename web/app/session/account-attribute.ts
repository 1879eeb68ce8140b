import { ACCESS_TOKEN_KEY } from './access-token.ts';

/**
 * Runs in the head before the first paint: a page that is the same for everyone must know whether to keep room
 * for the account menu or show Login, or the bar would jump when the session is known.
 */
export const accountScript = `try{if(localStorage.getItem('${ACCESS_TOKEN_KEY}'))document.documentElement.dataset.account=''}catch(e){}`;

/** Keeps the root element in step with the session: with `data-account` the menu has its room and Login is hidden. */
export function setAccountAttribute(isSignedIn: boolean): void {
  document.documentElement.toggleAttribute('data-account', isSignedIn);
}
