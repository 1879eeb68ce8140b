import type { ReactNode } from 'react';
import { Link, type To } from 'react-router';
import { PageTitle } from '#app/ui/shop.tsx';

interface PageHeadingProps {
  /** The document's title, and the default heading. */
  title: string;
  heading?: ReactNode;
  above?: ReactNode;
  /** At the right: search, filter, a link. */
  actions?: ReactNode;
}

export function PageHeading({ title, heading = title, above, actions }: PageHeadingProps) {
  return (
    <>
      <PageTitle title={title} />
      <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          {above && <div className="mb-1 text-sm text-muted">{above}</div>}
          <h1
            className="display text-[1.75rem] leading-9 outline-none md:text-[2rem] md:leading-10"
            tabIndex={-1}
          >
            {heading}
          </h1>
        </div>
        {actions}
      </div>
    </>
  );
}

/** To the page that leads here, above the heading. */
export const ParentLink = ({ to, children }: { to: To; children: string }) => (
  <Link className="pf-link print:hidden" to={to}>
    {children}
  </Link>
);
