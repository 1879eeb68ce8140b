import type { Config } from '#src/platform/core/config.ts';
import { escapeHtml } from '#src/platform/core/escape-html.ts';
import { describeSender, type Fact, type Link, type MailWords, type Span } from './mail-words.ts';

const COPPER = { light: '#af4715', dark: '#eb965f' };

/**
 * Tables and inline styles, 600 px wide, for mail programs. Loads nothing, so reading cannot be tracked.
 * Theme colours are converted by hand: mail programs lack oklch.
 * @param logo address of the picture in place of the drawn mark; null for the mark
 */
export function renderHtml(
  words: MailWords,
  { seller, shop }: Pick<Config, 'seller' | 'shop'>,
  logo: string | null,
): string {
  const accent = shop.accent ?? COPPER;
  const { subject, preview, about, title, paragraphs, action, facts, footnote } = words;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${listStyles(accent.dark)}</style></head>
<body class="ground" style="margin:0;padding:0;background:#f3f5f7"><div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f7"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" class="sheet" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;background:#ffffff;border:1px solid #dce0e4;border-radius:8px;border-collapse:separate">
${renderHead(about, shop, logo)}
<tr><td class="pad" style="padding:32px 32px 8px"><h1 class="ink" style="${TITLE_FACE};margin:0;font-size:28px;line-height:34px;font-weight:600;letter-spacing:-0.025em;color:#161b21">${escapeHtml(title)}</h1>${paragraphs.map(renderParagraph).join('')}</td></tr>
${action ? renderAction(action, accent.light) : ''}
${facts.length > 0 ? `<tr><td class="pad" style="padding:12px 32px 28px"><table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">${facts.map(renderFact).join('')}</table></td></tr>` : ''}
<tr><td class="pad line quiet" style="${FACE};padding:18px 32px;border-top:1px solid #dce0e4;font-size:13px;line-height:20px;color:#545c64">${escapeHtml(footnote.text)}${footnote.link ? ` ${renderLink(footnote.link)}` : ''}</td></tr></table>
<p class="quiet" style="${FACE};margin:16px 0 0;font-size:13px;line-height:20px;color:#545c64">${escapeHtml(describeSender(seller))}</p>
</td></tr></table></body></html>
`;
}

const FACE = "font-family:'IBM Plex Sans',Arial,Helvetica,sans-serif";
const TITLE_FACE = "font-family:'Mona Sans',Arial,Helvetica,sans-serif";

/** Narrow windows and the dark theme, which inline styles cannot express. */
const listStyles = (accent: string) =>
  [
    '@media (max-width:620px){.pad{padding-left:20px!important;padding-right:20px!important}.button{display:block!important}}',
    '@media (prefers-color-scheme:dark){',
    '.ground{background:#0d1115!important}.sheet{background:#15191e!important;border-color:#2e343a!important}',
    '.line{border-color:#2e343a!important}.ink{color:#ebedf0!important}.quiet{color:#a3abb3!important}',
    `.button{background:${accent}!important;color:#21120a!important}.mark{background:#ebedf0!important}}`,
  ].join('');

/** Three table cells form the logo: few mail programs show drawings. */
function renderHead(about: string, { name, accent }: Config['shop'], logo: string | null): string {
  const bar = (style: string, className = '') =>
    `<td${className && ` class="${className}"`} style="width:6px;height:18px;font-size:0;line-height:0;${style}">&nbsp;</td>`;
  const gap = '<td style="width:3px;font-size:0">&nbsp;</td>';
  const mark = [
    bar('background:#161b21', 'mark'),
    gap,
    bar('border:1px solid #8a9299'),
    gap,
    bar(`background:${accent?.light ?? '#c96730'}`),
  ];
  const picture =
    logo === null
      ? `<table role="presentation" cellpadding="0" cellspacing="0"><tr>${mark.join('')}</tr></table>`
      : `<img src="${logo}" width="24" height="24" alt="" style="display:block">`;
  return `<tr><td class="pad line" style="padding:24px 32px;border-bottom:1px solid #dce0e4"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td style="width:36px">${picture}</td><td class="ink" style="${TITLE_FACE};font-size:18px;line-height:24px;font-weight:600;letter-spacing:-0.02em;color:#161b21">${escapeHtml(name)}</td><td align="right" class="quiet" style="${FACE};font-size:14px;line-height:20px;color:#545c64">${escapeHtml(about)}</td></tr></table></td></tr>`;
}

const renderParagraph = (spans: readonly Span[]): string =>
  `<p class="ink" style="${FACE};margin:12px 0 0;font-size:16px;line-height:24px;color:#161b21">${spans.map(renderSpan).join('')}</p>`;

const renderSpan = (span: Span): string =>
  typeof span === 'string'
    ? escapeHtml(span)
    : `<strong style="font-weight:600">${escapeHtml(span.strong)}</strong>`;

const renderAction = ({ label, url }: Link, accent: string): string =>
  `<tr><td class="pad" style="padding:20px 32px 28px"><a class="button" href="${escapeHtml(url)}" style="${FACE};display:inline-block;background:${accent};color:#fffbf8;font-size:16px;line-height:24px;font-weight:600;text-decoration:none;text-align:center;padding:12px 28px;border-radius:4px">${escapeHtml(label)}</a></td></tr>`;

function renderFact({ label, value, isLarge = false }: Fact): string {
  const cell = 'padding:9px 0;border-top:1px solid #dce0e4';
  const type = isLarge
    ? 'font-size:22px;line-height:28px;font-weight:600'
    : 'font-size:16px;line-height:22px;font-weight:500';
  return `<tr><td class="line quiet" valign="top" style="${FACE};${cell};padding-right:16px;font-size:14px;line-height:22px;color:#545c64">${escapeHtml(label)}</td><td class="line ink" align="right" style="${FACE};${cell};${type};color:#161b21;word-break:break-word">${escapeHtml(value)}</td></tr>`;
}

const renderLink = ({ label, url }: Link): string =>
  `<a class="ink" href="${escapeHtml(url)}" style="color:#161b21;text-decoration:underline">${escapeHtml(label)}</a>`;
