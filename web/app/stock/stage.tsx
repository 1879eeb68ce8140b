import type { ComponentProps, ReactNode } from 'react';

interface StageProps extends Omit<ComponentProps<'section'>, 'title'> {
  /** Its number on the page; absent once the file is applied. */
  at?: number | undefined;
  title: string;
  /** Stands beside the title. */
  said: ReactNode;
  action?: ReactNode;
}

/** A step of the page: one line, and below it what is to do in it. */
export function Stage({ at, title, said, action, className = '', children, ...frame }: StageProps) {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return (
    <section {...frame} className={`pf-panel pf-stage ${className}`.trimEnd()} aria-labelledby={id}>
      <div className="top">
        <h2 id={id} className="outline-none" tabIndex={-1}>
          {at && <span className="num">{at} </span>}
          {title}
        </h2>
        <p className="num">{said}</p>
        {action}
      </div>
      {children}
    </section>
  );
}
