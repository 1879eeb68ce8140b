import type { PageShop } from '@parts-forge/contract/people/identity';
import type { MetaDescriptor } from 'react-router';
import { unknownShop } from '#app/ui/shop.tsx';

export interface RootData {
  /** Null: unknown; then no absolute address is written. */
  origin: string | null;
  shop: PageShop;
}

interface PageMeta {
  /** Before the shop's name. */
  title: string;
  description: string;
  /** For the canonical address. */
  path: string;
  root: RootData | undefined;
  /** Replaces the shop's picture. */
  image?: string;
  /** schema.org objects about the page. */
  structured?: readonly Record<string, unknown>[];
  /** Not for search engines: only a link from a mail or an administrator opens it. */
  isHidden?: boolean;
}

/** Title, description, Open Graph and structured data. */
export function buildPageMeta({
  title,
  description,
  path,
  root,
  image,
  structured = [],
  isHidden = false,
}: PageMeta): MetaDescriptor[] {
  const { origin, shop } = root ?? { origin: null, shop: unknownShop };
  const fullTitle = `${title} · ${shop.name}`;
  const common: MetaDescriptor[] = [
    { title: fullTitle },
    { name: 'description', content: description },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: shop.name },
    ...structured.map((each) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...each } })),
    ...(isHidden ? [{ name: 'robots', content: 'noindex' }] : []),
  ];
  if (!origin) return common;
  return [
    ...common,
    { tagName: 'link', rel: 'canonical', href: `${origin}${path}` },
    { property: 'og:url', content: `${origin}${path}` },
    ...describeImage(origin, image ?? shop.picture),
  ];
}

/** The demonstration's, 1200 × 630; others are square. */
const WIDE_PICTURE = '/og.png';

/** @param picture may be on another host */
function describeImage(origin: string, picture: string | null): MetaDescriptor[] {
  if (picture === null) return [];
  const isWide = picture === WIDE_PICTURE;
  return [
    { property: 'og:image', content: new URL(picture, origin).href },
    ...(isWide
      ? [
          { property: 'og:image:width', content: '1200' },
          { property: 'og:image:height', content: '630' },
        ]
      : []),
    { name: 'twitter:card', content: isWide ? 'summary_large_image' : 'summary' },
  ];
}

interface PageMatches {
  matches: readonly [{ loaderData?: RootData | undefined }, ...unknown[]];
}

/** A page's `meta` that depends on the shop alone. */
export const describePage =
  (page: Omit<PageMeta, 'root'>) =>
  ({ matches: [root] }: PageMatches): MetaDescriptor[] =>
    buildPageMeta({ ...page, root: root.loaderData });
