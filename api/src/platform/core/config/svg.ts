/** Elements that draw. Not `use`, as a few nested ones draw millions of shapes. */
const elements = new Set(
  'svg g defs title desc style path rect circle ellipse line polyline polygon text tspan linearGradient radialGradient stop clipPath'.split(
    ' ',
  ),
);
const declaration = /^\uFEFF?<\?xml\s[^<>?]*\?>/;
const startTag = /^[A-Za-z][\w.:-]*/;
const endTag = /^\/[A-Za-z]+\s*$/;
const attribute = /^\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/;
/** Links of CSS. A backslash or a character reference could spell them otherwise. */
const forbiddenText = /url\((?!["']?#)|@import|image-set|\\|&(?!(amp|lt|gt|quot|apos);)/i;
const PLAIN = 'a logo has shapes, texts and colours, no scripts and links.';

/**
 * Reads elements, attributes, comments and text. Refuses all other XML: document types, entities, processing
 * instructions, CDATA, and `>` in an attribute. Whether the elements fit together, drawing them shows.
 * @returns continues after the setting's name; null for an SVG that only draws
 */
export function findSvgMistake(source: string): string | null {
  const svg = removeComments(source.replace(declaration, '')).trim();
  if (!/^<svg[\s>]/.test(svg)) return 'must be a PNG or an SVG.';
  // XML has no `<` in attributes and texts.
  for (const piece of svg.split('<').slice(1)) {
    const end = piece.indexOf('>');
    const [tag, text] = [piece.slice(0, end), piece.slice(end + 1)];
    const mistake = end < 0 ? explainUnread(piece) : endTag.test(tag) ? null : findTagMistake(tag);
    if (mistake !== null) return mistake;
    if (forbiddenText.test(text)) return `has the text ${JSON.stringify(text.trim().slice(0, 40))}: ${PLAIN}`;
  }
  return null;
}

function findTagMistake(tag: string): string | null {
  const element = startTag.exec(tag)?.[0];
  if (element === undefined) return explainUnread(tag);
  if (!elements.has(element)) return `has a <${element}>: ${PLAIN}`;
  let rest = tag.slice(element.length).replace(/\/$/, '');
  while (rest.trim() !== '') {
    const [whole, name, double, single] = attribute.exec(rest) ?? [];
    if (whole === undefined || name === undefined) return explainUnread(tag);
    const value = double ?? single ?? '';
    const isLink = /(?:^|:)(?:href|src|base)$/i.test(name) && !value.startsWith('#');
    if (isLink || /^on/i.test(name) || forbiddenText.test(value))
      return `has the attribute ${name} in <${element}>: ${PLAIN}`;
    rest = rest.slice(whole.length);
  }
  return null;
}

/** CSS joins the texts around a comment, so they are checked as one. */
function removeComments(source: string): string {
  const [first = '', ...others] = source.split('<!--');
  return first + others.map((text) => text.slice(text.indexOf('-->') + 3)).join('');
}

const explainUnread = (xml: string) =>
  `is no plain SVG: the shop cannot read ${JSON.stringify(`<${xml.slice(0, 30)}`)}.`;
