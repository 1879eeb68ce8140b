import { type ReactNode, useEffect, useRef } from 'react';
import { getRequestId } from '#app/errors/describe-error.ts';
import { Reference } from '#app/errors/reference.tsx';
import { Banner } from '#app/ui/banner.tsx';

interface FormErrorProps {
  /** What failed, for the id of a failure of the shop's own. */
  error?: unknown;
  className?: string;
  /** What to say about the error, and what to do. */
  children: ReactNode;
}

/** Why a form could not be sent, above it. It comes into view: the button that was pressed may be far below. */
export function FormError({ error, className = '', children }: FormErrorProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: newer browsers answer with a promise, which React would take for a clean-up.
    frame.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={frame} className={className}>
      <Banner kind="error">
        {children}
        <Reference id={getRequestId(error)} />
      </Banner>
    </div>
  );
}
