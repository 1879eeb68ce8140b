import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { getRequestId } from '#app/errors/describe-error.ts';
import { Reference } from '#app/errors/reference.tsx';
import avif640 from '#app/pictures/mainboard-640.avif';
import webp640 from '#app/pictures/mainboard-640.webp';
import avif1000 from '#app/pictures/mainboard-1000.avif';
import webp1000 from '#app/pictures/mainboard-1000.webp';
import { Banner } from '#app/ui/banner.tsx';

/** One `srcset` per format. */
interface SidePicture {
  avif: string;
  webp: string;
  /** The WebP of 640 px. */
  src: string;
}

const mainboard: SidePicture = {
  avif: `${avif640} 640w, ${avif1000} 1000w`,
  webp: `${webp640} 640w, ${webp1000} 1000w`,
  src: webp640,
};

interface SignInLayoutProps {
  title: string;
  /** The identity service's message, unchanged in the red banner. */
  error: Error | null;
  information?: string | null;
  /** By default the mainboard. */
  picture?: SidePicture;
  children: ReactNode;
}

export function SignInLayout({
  title,
  error,
  information,
  picture = mainboard,
  children,
}: SignInLayoutProps) {
  const form = useRef<HTMLDivElement>(null);
  // A small window may have scrolled past the banner.
  useEffect(() => {
    if (error) form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  return (
    <div className="grid min-h-[calc(100dvh-4rem)] lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="px-[var(--gutter)] py-12 lg:grid lg:place-items-center lg:py-16">
        <div ref={form} className="mx-auto w-full max-w-[26rem]">
          <h1 className="display text-h1 outline-none" tabIndex={-1}>
            {title}
          </h1>
          {error && (
            <Banner kind="alarm" className="mt-6 scroll-mt-20">
              {error.message}
              <Reference id={getRequestId(error)} className="mt-2" />
            </Banner>
          )}
          {information && !error && (
            <Banner kind="info" className="mt-6">
              {information}
            </Banner>
          )}
          <p className="mt-6 hidden noscript:block">Signing in and up need JavaScript.</p>
          {children}
        </div>
      </div>
      <div className="lit-panel relative grid place-items-center overflow-hidden border-l border-base-300 max-lg:hidden">
        <div className="pf-corners absolute inset-6" />
        <Ornament {...picture} />
      </div>
    </div>
  );
}

const Ornament = ({ avif, webp, src }: SidePicture) => (
  <picture className="w-[min(70%,34rem)]">
    <source type="image/avif" srcSet={avif} sizes="34rem" />
    {/* Small screens hide this ornament and do not load it. */}
    <img
      className="h-auto w-full"
      src={src}
      srcSet={webp}
      sizes="34rem"
      width={1000}
      height={1000}
      alt=""
      loading="lazy"
      decoding="async"
    />
  </picture>
);

/** In place of what a link was for. */
export const DeadLink = ({ children }: { children: string }) => (
  <Banner kind="alarm" className="mt-6">
    {children}
  </Banner>
);

interface OtherWayProps {
  before?: string;
  to: string;
  children: string;
}

export const OtherWay = ({ before, to, children }: OtherWayProps) => (
  <p className="mt-8 text-muted">
    {before}
    <Link className="pf-link inline-flex min-h-8 items-center font-semibold text-base-content" to={to}>
      {children}
    </Link>
  </p>
);
