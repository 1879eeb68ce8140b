/** Invisible; added by phones and chats. */
const formatCharacters = /\p{Cf}/gu;

/** Letters that Unicode cannot decompose, with printed replacements. */
const similar: Readonly<Record<string, string>> = {
  ...pair('ɓbɗdƙkƴyɛeɔoɖdɣgɲnʋvɨiʉuǝeƶzǥgʒzƀbɫlɑaɪiʊuƭtɦhȥzɩiɡgƥp'),
  ...pair('ƁBƊDƘKƳYƐEƆOƉDƔGƝNƲVƗIɄUƎEƵZǤGƷZɃBƱUƬTȤZƖIƤPƑF'),
  ʔ: '’',
  Ɂ: '’',
  ɂ: '’',
  ʕ: '‘',
  ʾ: '’',
  ʿ: '‘',
  ǀ: '|',
  ǁ: '||',
  ǂ: '|',
  ǃ: '!',
};

function pair(letters: string): Record<string, string> {
  return Object.fromEntries(
    [...(letters.match(/../gu) ?? [])].map(([letter = '', base = '']) => [letter, base]),
  );
}

/** Characters in the fonts of printed documents. */
const printed =
  /^[\n -~\u00a0-\u017f\u018f\u0192\u01a0\u01a1\u01af\u01b0\u0259\u02bb\u02bc\u0386-\u03ce\u0400-\u045f\u0490-\u04c2\u04cf-\u04f9\u2010-\u2015\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2032\u2033\u2039\u203a\u20ac\u2116\u2122]*$/u;

/** Base letters of a character. */
export const takeMarksOff = (character: string): string => character.normalize('NFKD').replace(/\p{M}/gu, '');

/** Drops invisible characters and replaces letters that no font has. */
export const toPrintedLetters = (text: string): string =>
  text.replace(formatCharacters, '').replace(/[^ -~]/gu, (letter) => similar[letter] ?? letter);

/** Marks may be lost; other characters print as `?`. */
export const isPrintable = (text: string): boolean =>
  [...toPrintedLetters(text)].every(
    (character) => printed.test(character) || printed.test(takeMarksOff(character)),
  );
