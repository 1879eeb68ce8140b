const declaration = /^\uFEFF?<\?xml\s[^<>?]*\?>/;
const startTag = /^[A-Za-z][\w.:-]*/;
const endTag = /^\/([A-Za-z][\w.:-]*)\s*$/;
const attribute = /^\s+([A-Za-z_][\w.:-]*)\s*=\s*("[^"]*"|'[^']*')/;

/** Programs, foreign documents, links, and animations, which can set a link. */
const forbidden = /^(script|foreignobject|iframe|a|handler|listener|set|animate\w*)$/;
const NO_LINKS = 'a logo has no scripts and links.';

/**
 * Reads elements, attributes, comments and text. Refuses all other XML: document types, entities, processing
 * instructions, CDATA, and `>` in an attribute.
 * @returns continues after the setting's name; null for an SVG without scripts and links
 */
export function findSvgMistake(source: string): string | null {
  const svg = removeComments(source.replace(declaration, '')).trim();
  if (!/^<svg[\s>]/.test(svg)) return 'must be a PNG or an SVG.';
  const open: string[] = [];
  // XML has no `<` in attributes and texts.
  for (const [index, piece] of svg.split('<').slice(1).entries()) {
    const end = piece.indexOf('>');
    const tag = piece.slice(0, end);
    const text = piece.slice(end + 1);
    const closed = endTag.exec(tag)?.[1];
    const isOutside = index > 0 && open.length === 0;
    if (end < 0 || isOutside || (closed !== undefined && open.pop() !== closed)) return explainUnread(piece);
    if (closed === undefined) {
      const mistake = findTagMistake(tag, open);
      if (mistake) return mistake;
    }
    if (isHarmful(text, localName(open.at(-1) ?? '') === 'style'))
      return `has the text ${JSON.stringify(text.trim().slice(0, 40))}: ${NO_LINKS}`;
  }
  return open.length > 0 ? `is no plain SVG: <${open.at(-1)}> is not closed.` : null;
}

/** @param open gets the element, unless the tag closes it too */
function findTagMistake(tag: string, open: string[]): string | null {
  const isEmpty = tag.endsWith('/');
  const element = startTag.exec(tag)?.[0];
  if (element === undefined) return explainUnread(tag);
  if (forbidden.test(localName(element))) return `has a <${element}>: ${NO_LINKS}`;
  let rest = tag.slice(element.length, isEmpty ? -1 : undefined);
  while (rest.trim() !== '') {
    const [whole, name, quoted] = attribute.exec(rest) ?? [];
    if (whole === undefined || name === undefined || quoted === undefined) return explainUnread(tag);
    const value = quoted.slice(1, -1);
    const isLink = /^(href|src|base)$/.test(localName(name)) && !value.startsWith('#');
    if (isLink || localName(name).startsWith('on') || isHarmful(value, true))
      return `has the attribute ${name} in <${element}>: ${NO_LINKS}`;
    rest = rest.slice(whole.length);
  }
  if (!isEmpty) open.push(element);
  return null;
}

/** CSS joins the texts around a comment, so they are checked as one. */
function removeComments(source: string): string {
  const [first = '', ...others] = source.split('<!--');
  return first + others.map((text) => text.slice(text.indexOf('-->') + 3)).join('');
}

const explainUnread = (xml: string) =>
  `is no plain SVG: the shop cannot read ${JSON.stringify(`<${xml.slice(0, 30)}`)}.`;

const localName = (name: string) => name.toLowerCase().split(':').at(-1) ?? '';

/** A character reference or a backslash could spell a link otherwise. */
const isHarmful = (text: string, isStyle: boolean): boolean =>
  /&(?!(amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(text) ||
  (isStyle && /url\((?!["']?#)|@import|image-set|\\|&#/i.test(text));
