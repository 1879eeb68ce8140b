import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageShop } from '@parts-forge/contract/identity';
import type { Accent } from '#src/platform/core/config/accent.ts';
import type { Logo } from '#src/platform/core/config/logo.ts';
import type { Shop } from '#src/platform/core/config/shop.ts';
import type { Config } from '#src/platform/core/config.ts';
import { escapeHtml } from '#src/platform/core/escape-html.ts';

export function toPageShop({ shop, isDemoSeller }: Pick<Config, 'shop' | 'isDemoSeller'>): PageShop {
  const { logo, accent, address, links } = shop;
  return {
    ...shop,
    address: isDemoSeller ? [...address] : [],
    links: [...links],
    logo: logo?.path ?? null,
    accent: accent && { ...accent, styles: stylesPath(accent) },
  };
}

/**
 * Files with the shop's name, logo or accent, drawn once at the start.
 * @param folder has the files that need the name
 * @returns by path; they take precedence over the build's
 */
export async function createShopFiles(folder: string, shop: Shop): Promise<Map<string, Buffer>> {
  const { logo, accent } = shop;
  const files = new Map<string, Buffer>();
  files.set('/manifest.webmanifest', Buffer.from(JSON.stringify(describeShop(shop))));
  const popup = join(folder, 'auth/popup.html');
  if (existsSync(popup)) {
    const html = readFileSync(popup, 'utf8').replaceAll('%SHOP_NAME%', () => escapeHtml(shop.name));
    files.set('/auth/popup.html', Buffer.from(html));
  }
  if (accent) {
    files.set(stylesPath(accent), Buffer.from(writeStyles(accent)));
    const favicon = join(folder, 'favicon.svg');
    if (existsSync(favicon)) {
      const svg = readFileSync(favicon, 'utf8').replaceAll('#ea9258', accent.dark);
      files.set('/favicon.svg', Buffer.from(svg));
    }
  }
  if (logo) for (const [path, bytes] of await drawIcons(logo)) files.set(path, bytes);
  return files;
}

const describeShop = ({ name, tagline }: Shop) => ({
  name,
  short_name: name,
  ...(tagline && { description: tagline }),
  start_url: '/',
  display: 'minimal-ui',
  background_color: '#ffffff',
  theme_color: '#1d2228',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
});

const WHITE = '#ffffff';
/** Masks keep at least the inner 80 % (W3C, "Web Application Manifest"), as a circle. */
const SAFE_SHARE = 0.56;

async function drawIcons(logo: Logo): Promise<[string, Buffer][]> {
  const small = await logo.draw(64);
  return [
    [logo.path, logo.bytes],
    // The pages link an SVG, also for a PNG.
    ['/favicon.svg', logo.type === 'svg' ? logo.bytes : wrapPicture(small)],
    ['/favicon-32.png', await logo.draw(32)],
    ['/icon-192.png', await logo.draw(192)],
    ['/icon-512.png', await logo.draw(512)],
    ['/icon-maskable-512.png', await logo.draw(512, WHITE, SAFE_SHARE)],
    ['/apple-touch-icon.png', await logo.draw(180, WHITE, 0.8)],
  ];
}

const wrapPicture = (png: Buffer): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><image width="64" height="64" href="data:image/png;base64,${png.toString('base64')}"/></svg>`,
  );

const stylesPath = (accent: Accent): string =>
  `/assets/accent-${createHash('sha256').update(writeStyles(accent)).digest('hex').slice(0, 16)}.css`;

/** Overrides the tokens of web/app/theme.css, which are in a layer. Paper is white in both themes. */
function writeStyles({ light, dark }: Accent): string {
  const set = (colour: string, text: string) =>
    `--color-primary:${colour};--color-primary-content:${text};--color-accent:${colour};--color-accent-content:${text};--pf-focus:${colour}`;
  return [
    `:root{${set(light, '#ffffff')};--pf-band-accent:${dark}}`,
    `:root[data-theme="dark"]{${set(dark, '#12171b')}}`,
    `@media print{:root[data-theme="dark"]{${set(light, '#ffffff')}}}`,
  ].join('\n');
}
