import { type ReactNode, useEffect, useRef } from 'react';

/** Sends the form inside as soon as it is there, so that it shows what is wrong with it. */
export function SubmitOnMount({ children }: { children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => area.current?.querySelector('form')?.requestSubmit(), []);
  return <div ref={area}>{children}</div>;
}
