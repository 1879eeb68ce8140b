import type { MetaDescriptor } from 'react-router';

interface PageMeta {
  /** Before ' · Parts Forge' in the title. */
  title: string;
  description: string;
  /** Path of the page, for the canonical address. */
  path: string;
  /** The shop's public origin; nothing absolute is written without one. */
  origin: string | null | undefined;
  /** The page's own picture, in place of the shop's. */
  image?: string;
  /** schema.org objects that are true of the page. */
  structured?: readonly Record<string, unknown>[];
}

/** Title, description, Open Graph and structured data of a public page. */
export function buildPageMeta({
  title,
  description,
  path,
  origin,
  image,
  structured = [],
}: PageMeta): MetaDescriptor[] {
  const fullTitle = `${title} · Parts Forge`;
  const common: MetaDescriptor[] = [
    { title: fullTitle },
    { name: 'description', content: description },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: 'Parts Forge' },
    ...structured.map((each) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...each } })),
  ];
  if (!origin) return common;
  return [
    ...common,
    { tagName: 'link', rel: 'canonical', href: `${origin}${path}` },
    { property: 'og:url', content: `${origin}${path}` },
    ...describeImage(origin, image),
  ];
}

/** What others show beside a link to the page. A part's picture is square and may lie at another host. */
function describeImage(origin: string, image: string | undefined): MetaDescriptor[] {
  if (image !== undefined) {
    return [
      { property: 'og:image', content: new URL(image, origin).href },
      { name: 'twitter:card', content: 'summary' },
    ];
  }
  return [
    { property: 'og:image', content: `${origin}/og.png` },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}
