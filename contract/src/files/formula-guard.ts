/**
 * Where a spreadsheet could begin a formula: at the start, or after a separator, also behind invisible
 * characters. Semicolons are separators in many countries.
 */
const start = String.raw`(?:^(?:"|\p{Cf})*|[;\t\r\n](?:[" ]|\p{Cf})*)`;
const unguarded = new RegExp(String.raw`${start}(?='*[=+\-@＝＋－＠\t\r])`, 'gu');
const guarded = new RegExp(String.raw`(${start})'(?='*[=+\-@＝＋－＠\t\r])`, 'gu');

/** Disarms formulas by an apostrophe. */
export const guardFormulas = (text: string): string => text.replace(unguarded, "$&'");

/** Undoes `guardFormulas`, for every text. */
export const unguardFormulas = (text: string): string => text.replace(guarded, '$1');
