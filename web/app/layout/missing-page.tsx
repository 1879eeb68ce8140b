import { Link } from 'react-router';
import notFound from '#app/pictures/not-found.webp';
import { buttonLook } from '#app/ui/button.tsx';

/** The not-found page (specification §2): a picture and the way home. */
export function MissingPage() {
  return (
    <div className="wrap grid items-center gap-x-16 gap-y-6 py-16 md:py-24 lg:grid-cols-[minmax(0,1fr)_minmax(0,34rem)]">
      <title>Page not found · Parts Forge</title>
      <div className="max-lg:order-2">
        <h1 className="display text-h1">This page is missing</h1>
        <p className="mt-4 max-w-[40ch] text-lead text-muted">
          The address is old or mistyped. Everything else is where it was.
        </p>
        <Link to="/" className={buttonLook('primary', 'action', 'mt-8 max-sm:w-full')}>
          Take Me Home
        </Link>
      </div>
      <div className="pf-corners lit-panel relative rounded-box p-8">
        <img
          src={notFound}
          width={960}
          height={720}
          className="h-auto w-full"
          alt="A phone taken apart with one part missing from its place"
        />
      </div>
    </div>
  );
}
