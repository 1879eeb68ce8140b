import { storeIn } from '#app/ui/browser-storage.ts';
import { ACCESS_TOKEN_KEY } from './access-token.ts';

const WIDTH_KEY = 'accountWidth';
const WIDTH_PROPERTY = '--account-width';

/**
 * Before the first paint: a page cached for everybody must show Login or reserve the menu's width, or the
 * bar would jump.
 */
export const accountScript = `try{if(localStorage.getItem('${ACCESS_TOKEN_KEY}')){var r=document.documentElement,w=localStorage.getItem('${WIDTH_KEY}');r.dataset.account='';if(w)r.style.setProperty('${WIDTH_PROPERTY}',w+'px')}}catch(e){}`;

/** Styles hide Login by the attribute. */
export function setAccountAttribute(isSignedIn: boolean): void {
  document.documentElement.toggleAttribute('data-account', isSignedIn);
  // The next user has another name.
  if (!isSignedIn) keepsWidth = false;
}

let keepsWidth = typeof document !== 'undefined' && 'account' in document.documentElement.dataset;

export function setAccountWidth(width: number): void {
  if (!keepsWidth) document.documentElement.style.setProperty(WIDTH_PROPERTY, `${width}px`);
  storeIn('localStorage', WIDTH_KEY, String(width));
}
