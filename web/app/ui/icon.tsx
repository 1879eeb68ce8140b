import type { IconNode } from 'lucide';
import { createElement } from 'react';

/**
 * A Lucide icon, hidden from screen readers: a text or accessible name stands beside it. Lucide's React
 * components would add a kilobyte to the first load.
 */
export function Icon({ of: shapes, className = 'size-5' }: { of: IconNode; className?: string }) {
  const frame = {
    className,
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth: 1.75,
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
    'aria-hidden': true,
  } as const;
  // As arguments: shapes have no keys and never change.
  return createElement(
    'svg',
    frame,
    ...shapes.map(([shape, attributes]) => createElement(shape, attributes)),
  );
}
