import type { LucideIcon } from 'lucide-react';

/**
 * A Lucide icon in the shop's stroke width. It is hidden from assistive technology: a word or an accessible name
 * always stands beside it.
 */
export function Icon({ of: Shape, className = 'size-5' }: { of: LucideIcon; className?: string }) {
  return <Shape className={className} strokeWidth={1.75} aria-hidden="true" />;
}
