import { type ReactNode, useEffect, useRef } from 'react';

/** Shows the form's errors. */
export function SubmitOnMount({ children }: { children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => area.current?.querySelector('form')?.requestSubmit(), []);
  return <div ref={area}>{children}</div>;
}
