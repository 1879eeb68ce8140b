import { type ReactNode, useEffect, useRef } from 'react';
import { describeError, getRequestId } from '#app/errors/describe-error.ts';
import { Reference } from '#app/errors/reference.tsx';
import { Banner } from '#app/ui/banner.tsx';

interface FormErrorProps {
  error?: unknown;
  className?: string;
  /** Default: the error's own sentence, or nothing without an error. */
  children?: ReactNode;
  /** A sentence behind it. */
  advice?: string;
}

export function FormError({ error, className = '', advice, children }: FormErrorProps) {
  if (!error && children === undefined) return null;
  return (
    <ShownError error={error} className={className}>
      {children ?? describeError(error)}
      {advice && ` ${advice}`}
    </ShownError>
  );
}

/** The pressed button may be far below. */
function ShownError({ error, className, children }: FormErrorProps) {
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
