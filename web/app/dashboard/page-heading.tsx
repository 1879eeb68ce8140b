import type { ReactNode } from 'react';

interface PageHeadingProps {
  /** The document's title; the heading too where `heading` is not given. */
  title: string;
  heading?: ReactNode;
  /** A small line over the heading. */
  above?: ReactNode;
  /** What stands at the right: search, filter, a link. */
  actions?: ReactNode;
}

/** Title and heading of a dashboard page. */
export function PageHeading({ title, heading = title, above, actions }: PageHeadingProps) {
  return (
    <>
      <title>{`${title} · Parts Forge`}</title>
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
