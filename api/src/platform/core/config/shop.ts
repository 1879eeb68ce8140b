import { DEFAULT_CURRENCY } from '@parts-forge/contract/money/currency';
import * as z from 'zod/mini';
import { type Accent, deriveAccent, findAccentMistake } from './accent.ts';
import { currencyCode } from './currency.ts';
import { demonstration } from './demonstration.ts';
import { findLogoMistake, type Logo, readLogo } from './logo.ts';
import { checked, printable, type SettingsGroup, setting, type Values } from './setting.ts';

export interface Shop {
  name: string;
  tagline: string;
  /** Search engines show it for the home page. */
  description: string;
  /** Lines of the address without `SELLER_ADDRESS`. */
  address: string[];
  links: { name: string; url: string }[];
  /** Path of the Open Graph picture; null for none. */
  picture: string | null;
  /** Null shows the demonstration's logo. */
  logo: Logo | null;
  /** Null: the demonstration's copper. */
  accent: Accent | null;
}

const socialAddress = (network: string) =>
  setting(
    `The shop's page at ${network}, \`https://…\`, linked in the footer.`,
    z.optional(
      checked((url) =>
        url.startsWith('https://') && URL.canParse(url)
          ? null
          : 'must be an address that begins with https://.',
      ),
    ),
  );

const settings = {
  SHOP_NAME: setting(
    "The shop's name on pages, mails, papers, in authenticators and `/openapi.json`. A name of your own also removes the demonstration's address, tagline and social links. By default the demonstration's.",
    z.optional(printable(40)),
  ),
  SHOP_TAGLINE: setting(
    'One or two sentences about the shop: in the footer, the manifest, `/openapi.json` and for search engines.',
    z.optional(printable(120)),
  ),
  SHOP_CURRENCY: setting(
    "Currency of all prices, payments and papers: one that the card provider takes, also without cents, such as `JPY`. The shop's first order fixes it; until then a change keeps each price's number.",
    z._default(currencyCode, DEFAULT_CURRENCY),
  ),
  SHOP_LOGO: setting(
    'File of the logo, best a square: a PNG with sides of 64 to 2048 pixels, or an SVG of shapes, texts and colours, without scripts and links; at most 256 kB. It replaces the mark on pages, mails and papers, and the icons.',
    z.optional(checked(findLogoMistake)),
  ),
  SHOP_ACCENT: setting(
    'Colour of buttons, links and marks, such as `#0b5fff`. It needs a contrast of 4.5 with the light pages; the dark theme mixes it with white until it has 4.5 there.',
    z.optional(checked(findAccentMistake)),
  ),
  SHOP_FACEBOOK: socialAddress('Facebook'),
  SHOP_INSTAGRAM: socialAddress('Instagram'),
  SHOP_TWITTER: socialAddress('Twitter'),
};

export const shop = { title: 'Shop', settings } satisfies SettingsGroup;

export function readShop(values: Values<typeof settings>): Shop {
  const { SHOP_NAME: name, SHOP_TAGLINE: tagline, SHOP_LOGO: file, SHOP_ACCENT: accent } = values;
  const { SHOP_FACEBOOK: facebook, SHOP_INSTAGRAM: instagram, SHOP_TWITTER: twitter } = values;
  const picture = file === undefined ? null : '/icon-512.png';
  // Claims and addresses of the demonstration are not another shop's.
  const { links, ...facts } =
    name === undefined
      ? demonstration
      : { name, tagline: '', description: name, address: [], links: [], picture };
  const urls = {
    Facebook: facebook ?? links[0],
    Instagram: instagram ?? links[1],
    Twitter: twitter ?? links[2],
  };
  return {
    ...facts,
    ...(tagline !== undefined && { tagline, description: tagline }),
    links: Object.entries(urls).flatMap(([network, url]) => (url ? [{ name: network, url }] : [])),
    logo: file === undefined ? null : readLogo(file),
    accent: accent === undefined ? null : deriveAccent(accent),
  };
}
