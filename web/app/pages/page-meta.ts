import type { MetaDescriptor } from 'react-router';

interface PageMeta {
  /** Before ' · Parts Forge'. */
  title: string;
  description: string;
  /** For the canonical address. */
  path: string;
  /** The shop's public origin; without it no absolute address is written. */
  origin: string | null | undefined;
  /** Replaces the shop's picture. */
  image?: string;
  /** schema.org objects about the page. */
  structured?: readonly Record<string, unknown>[];
}

/** Title, description, Open Graph and structured data. */
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

/** A part's picture is square and may be on another host. */
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
