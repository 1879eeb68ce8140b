import type { LucideIcon } from 'lucide-react';

/**
 * A Lucide sign at the shop's stroke. It is hidden from assistive technology: a word or an accessible name
 * always stands beside it (docs/design.md, "Icons").
 */
export function Icon({ of: Sign, className = 'size-5' }: { of: LucideIcon; className?: string }) {
  return <Sign className={className} strokeWidth={1.75} aria-hidden="true" />;
}
