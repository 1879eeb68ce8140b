import type { PageShop } from '@parts-forge/contract/people/identity';
import type { Appearance, CssFontSource, CustomFontSource } from '@stripe/stripe-js';
import type { Theme } from '#app/layout/theme.ts';
import plexSans from '../../.cache/fonts/plex-sans.woff2?url';

interface Palette {
  primary: string;
  background: string;
  text: string;
  muted: string;
  danger: string;
  edge: string;
}

/** Values, as the style sheet does not reach the provider's frame. */
const palettes: Record<Theme, Palette> = {
  light: {
    primary: '#af4715',
    background: '#ffffff',
    text: '#161b21',
    muted: '#545c64',
    danger: '#b11536',
    edge: '#828a91',
  },
  dark: {
    primary: '#ea9258',
    background: '#161a1e',
    text: '#eaedf0',
    muted: '#a5acb2',
    danger: '#f88288',
    edge: '#6b727a',
  },
};

/** Fields are 48 px high and outlined like the shop's. */
/** @param accent of the shop; default: copper */
export function buildCardAppearance(theme: Theme, accent?: PageShop['accent']): Appearance {
  const palette = { ...palettes[theme], ...(accent && { primary: accent[theme] }) };
  return {
    theme: theme === 'dark' ? 'night' : 'stripe',
    variables: {
      colorPrimary: palette.primary,
      colorBackground: palette.background,
      colorText: palette.text,
      colorTextSecondary: palette.muted,
      colorTextPlaceholder: palette.muted,
      colorDanger: palette.danger,
      borderRadius: '4px',
      spacingUnit: '4px',
      fontSizeBase: '16px',
      fontFamily: 'IBM Plex Sans, system-ui, sans-serif',
    },
    rules: {
      '.Input': { border: `1px solid ${palette.edge}`, boxShadow: 'none', padding: '12px' },
      '.Input:focus': {
        border: `1px solid ${palette.primary}`,
        boxShadow: 'none',
        outline: `2px solid ${palette.primary}`,
      },
      '.Input--invalid': { border: `2px solid ${palette.danger}`, boxShadow: 'none' },
      '.Label': { fontSize: '14px', fontWeight: '600', color: palette.text },
      '.Error': { fontSize: '14px', fontWeight: '500' },
    },
  };
}

/** An absolute URL, as the frame has another origin. */
export const listCardFonts = (): (CssFontSource | CustomFontSource)[] => [
  {
    family: 'IBM Plex Sans',
    src: `url(${new URL(plexSans, location.origin).href})`,
    weight: '400 600',
    display: 'swap',
  },
];
