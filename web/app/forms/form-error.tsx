import { type ReactNode, useEffect, useRef } from 'react';
import { getRequestId } from '#app/errors/describe-error.ts';
import { Reference } from '#app/errors/reference.tsx';
import { Banner } from '#app/ui/banner.tsx';

interface FormErrorProps {
  error?: unknown;
  className?: string;
  children: ReactNode;
}

/** The pressed button may be far below. */
export function FormError({ error, className = '', children }: FormErrorProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which React would treat as a clean-up.
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
