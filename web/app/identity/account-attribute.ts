/**
 * Runs in the head before the first paint: a page that is the same for everyone must know whether to keep room
 * for the account menu or show Login, or the bar would jump when the session is known.
 */
export const accountScript = `try{if(localStorage.getItem('accessToken'))document.documentElement.dataset.account=''}catch(e){}`;

/** Puts the mark in step with the session: with it the Login links are hidden and the menu has its room. */
export function setAccountAttribute(signedIn: boolean): void {
  document.documentElement.toggleAttribute('data-account', signedIn);
}
