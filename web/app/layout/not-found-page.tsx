import { Link } from 'react-router';
import avif480 from '#app/pictures/not-found-480.avif';
import webp480 from '#app/pictures/not-found-480.webp';
import avif960 from '#app/pictures/not-found-960.avif';
import webp960 from '#app/pictures/not-found-960.webp';
import { getButtonClasses } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/shop.tsx';

const sizes = '(width >= 64rem) 30rem, calc(100vw - 6rem)';

export function NotFoundPage() {
  return (
    <div className="wrap grid items-center gap-x-16 gap-y-6 py-16 md:py-24 lg:grid-cols-[minmax(0,1fr)_minmax(0,34rem)]">
      <PageTitle title="Page not found" />
      <div className="max-lg:order-2">
        <h1 className="display text-h1">This page is missing</h1>
        <p className="mt-4 max-w-[40ch] text-lead text-muted">
          The address is old or mistyped. Check the address or go home.
        </p>
        <Link to="/" className={getButtonClasses('primary', 'action', 'mt-8 max-sm:w-full')}>
          Take Me Home
        </Link>
      </div>
      <div className="pf-corners lit-panel relative rounded-box p-8">
        <picture>
          <source type="image/avif" srcSet={`${avif480} 480w, ${avif960} 960w`} sizes={sizes} />
          <img
            src={webp960}
            srcSet={`${webp480} 480w, ${webp960} 960w`}
            sizes={sizes}
            width={960}
            height={720}
            className="h-auto w-full"
            alt="A circuit board marked 404, its flex cable unplugged and lying beside it"
          />
        </picture>
      </div>
    </div>
  );
}
