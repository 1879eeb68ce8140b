import { ACCESS_TOKEN_KEY } from './access-token.ts';

/** How wide the account menu was when it was last shown, in pixels. */
const WIDTH_KEY = 'accountWidth';
const WIDTH_PROPERTY = '--account-width';

/**
 * Runs in the head before the first paint: a page that is the same for everyone must know whether to keep room
 * for the account menu or show Login, or the bar would jump when the session is known; and how much room, as names
 * are short and long.
 */
export const accountScript = `try{if(localStorage.getItem('${ACCESS_TOKEN_KEY}')){var r=document.documentElement,w=localStorage.getItem('${WIDTH_KEY}');r.dataset.account='';if(w)r.style.setProperty('${WIDTH_PROPERTY}',w+'px')}}catch(e){}`;

/** Keeps the root element in step with the session: with `data-account` the menu has its room and Login is hidden. */
export function setAccountAttribute(isSignedIn: boolean): void {
  document.documentElement.toggleAttribute('data-account', isSignedIn);
  // Whoever signs in next has another name.
  if (!isSignedIn) keepsWidth = false;
}

/** A page that was loaded with room of a guessed width keeps it: nothing moves while somebody looks. */
let keepsWidth = typeof document !== 'undefined' && 'account' in document.documentElement.dataset;

/** Keeps so much room for the account menu from now on, in pixels. */
export function setAccountWidth(width: number): void {
  if (!keepsWidth) document.documentElement.style.setProperty(WIDTH_PROPERTY, `${width}px`);
  try {
    localStorage.setItem(WIDTH_KEY, String(width));
  } catch {
    // The next page guesses again.
  }
}
