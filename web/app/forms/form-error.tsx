import { type ReactNode, useEffect, useRef } from 'react';
import { Banner } from '#app/ui/notice.tsx';

/** Why a form could not be sent, above it. It comes into view: the button that was pressed may be far below. */
export function FormError({ className = '', children }: { className?: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: newer browsers answer with a promise, which React would take for a clean-up.
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} className={className}>
      <Banner kind="error">{children}</Banner>
    </div>
  );
}
