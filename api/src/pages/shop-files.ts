import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageShop } from '@parts-forge/contract/people/identity';
import type { Accent } from '#src/platform/core/config/accent.ts';
import { hashBytes } from '#src/platform/core/config/logo.ts';
import type { Shop } from '#src/platform/core/config/shop.ts';
import type { Config } from '#src/platform/core/config.ts';
import { escapeHtml } from '#src/platform/core/escape-html.ts';

export function toPageShop({ shop, isDemoSeller }: Pick<Config, 'shop' | 'isDemoSeller'>): PageShop {
  const { logo, accent, address, ...facts } = shop;
  return {
    ...facts,
    address: isDemoSeller ? address : [],
    ...(logo && { logo: logo.path }),
    ...(accent && { accent: { ...accent, styles: stylesPath(accent) } }),
  };
}

/**
 * Files with the shop's name, logo or accent, made once at the start.
 * @param folder has the files that lack them; absent without a build
 * @returns by path; they take precedence over the folder's
 */
export async function createShopFiles(folder: string, shop: Shop): Promise<Map<string, Buffer>> {
  const { name, tagline, logo, accent } = shop;
  const files = new Map<string, Buffer>();
  if (!existsSync(folder)) return files;
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const popup = read('auth/popup.html').replaceAll('%SHOP_NAME%', () => escapeHtml(name));
  const { icons, ...manifest } = JSON.parse(read('manifest.webmanifest'));
  const description = {
    name,
    short_name: name,
    ...(tagline && { description: tagline }),
    ...manifest,
    // A logo has no room for a mask.
    icons: logo ? icons.filter((icon: object) => !('purpose' in icon)) : icons,
  };
  files.set('/auth/popup.html', Buffer.from(popup));
  files.set('/manifest.webmanifest', Buffer.from(JSON.stringify(description)));
  if (accent) files.set(stylesPath(accent), Buffer.from(writeStyles(accent)));
  if (!logo) return files;
  files.set(logo.path, logo.bytes);
  files.set('/favicon.svg', logo.type === 'svg' ? logo.bytes : wrapPicture(await logo.draw(64)));
  for (const size of [192, 512]) files.set(`/icon-${size}.png`, await logo.draw(size));
  files.set('/favicon-32.png', await logo.draw(32));
  return files.set('/apple-touch-icon.png', await logo.draw(180, '#ffffff'));
}

/** The pages link an SVG, also for a PNG. */
const wrapPicture = (png: Buffer): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><image width="64" height="64" href="data:image/png;base64,${png.toString('base64')}"/></svg>`,
  );

const stylesPath = (accent: Accent) => `/assets/accent-${hashBytes(writeStyles(accent))}.css`;

/** Overrides the tokens of web/app/theme.css, which are in a layer. Paper is white in both themes. */
function writeStyles({ light, dark }: Accent): string {
  const set = (colour: string, text: string) =>
    `--color-primary:${colour};--color-primary-content:${text};--color-accent:${colour};--color-accent-content:${text};--pf-focus:${colour}`;
  return [
    `:root{${set(light, '#ffffff')};--color-band-accent:${dark}}`,
    `:root[data-theme="dark"]{${set(dark, '#12171b')}}`,
    `@media print{:root[data-theme="dark"]{${set(light, '#ffffff')}}}`,
  ].join('\n');
}
