import type { ReactNode } from 'react';
import { Link } from 'react-router';
import avif780 from '#app/pictures/hero-780.avif';
import webp780 from '#app/pictures/hero-780.webp';
import avif1280 from '#app/pictures/hero-1280.avif';
import webp1280 from '#app/pictures/hero-1280.webp';
import avif2560 from '#app/pictures/hero-2560.avif';
import webp2560 from '#app/pictures/hero-2560.webp';
import portraitAvif390 from '#app/pictures/hero-portrait-390.avif';
import portraitWebp390 from '#app/pictures/hero-portrait-390.webp';
import portraitAvif780 from '#app/pictures/hero-portrait-780.avif';
import portraitWebp780 from '#app/pictures/hero-portrait-780.webp';
import portraitAvif1200 from '#app/pictures/hero-portrait-1200.avif';
import portraitWebp1200 from '#app/pictures/hero-portrait-1200.webp';
import { getButtonClasses } from '#app/ui/button.tsx';
import { focusableWhereItScrolls } from '#app/ui/focusable-where-it-scrolls.ts';

const wide = '(width >= 48rem)';
const wideAvif = `${avif780} 780w, ${avif1280} 1280w, ${avif2560} 2560w`;
const portraitAvif = `${portraitAvif390} 390w, ${portraitAvif780} 780w, ${portraitAvif1200} 1200w`;
const wideSizes = '(width >= 84rem) 80rem, (width >= 64rem) calc(100vw - 4rem), 64rem';
const portraitSizes = 'calc(100vw - 2.5rem)';

export const heroPreloads = [
  { media: wide, imageSrcSet: wideAvif, imageSizes: wideSizes },
  { media: 'not all and (width >= 48rem)', imageSrcSet: portraitAvif, imageSizes: portraitSizes },
].map((picture) => ({
  rel: 'preload' as const,
  as: 'image' as const,
  type: 'image/avif',
  fetchPriority: 'high' as const,
  ...picture,
}));

interface HeroProps {
  /** Names the picture's layers. */
  chain: ReactNode;
}

export function Hero({ chain }: HeroProps) {
  return (
    <section className="lit-hero overflow-hidden border-b border-base-300">
      <div className="wrap pb-8 pt-12 md:pt-14">
        <div className="grid items-end gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <h1 className="display text-hero !font-[520] !tracking-[-0.038em]">
            We manufacture the{'\u00a0'}parts you{'\u00a0'}need.
          </h1>
          <div className="lg:pb-2">
            <p className="max-w-[44ch] text-pretty text-lead">
              Displays, batteries, cameras and boards for mobile phones. Choose a part, set the quantity, pay
              by card.
            </p>
            <Link to="/all-products" className={getButtonClasses('primary', 'action', 'mt-5 max-sm:w-full')}>
              Get Started
            </Link>
          </div>
        </div>
        <ExplodedView chain={chain} />
      </div>
    </section>
  );
}

/** Between 768 and 1023 px it scrolls sideways. */
function ExplodedView({ chain }: HeroProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of a picture and its names, no form.
    <div
      role="group"
      aria-label="Exploded view of a phone"
      ref={focusableWhereItScrolls}
      className="mt-6 md:max-lg:-mr-[var(--gutter)] md:max-lg:overflow-x-auto md:max-lg:pb-2"
    >
      <div className="md:max-lg:w-[64rem]">
        <picture>
          <source
            media={wide}
            type="image/avif"
            srcSet={wideAvif}
            sizes={wideSizes}
            width={2600}
            height={1000}
          />
          <source
            media={wide}
            type="image/webp"
            srcSet={`${webp780} 780w, ${webp1280} 1280w, ${webp2560} 2560w`}
            sizes={wideSizes}
            width={2600}
            height={1000}
          />
          <source type="image/avif" srcSet={portraitAvif} sizes={portraitSizes} width={1200} height={1000} />
          <img
            src={portraitWebp780}
            srcSet={`${portraitWebp390} 390w, ${portraitWebp780} 780w, ${portraitWebp1200} 1200w`}
            sizes={portraitSizes}
            width={1200}
            height={1000}
            fetchPriority="high"
            className="block h-auto w-full"
            alt="A mobile phone taken apart: cover glass, display, mid frame, battery, mainboard, camera with charging coil, and back cover in one row"
          />
        </picture>
        {chain}
      </div>
    </div>
  );
}
