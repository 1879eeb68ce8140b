import type { IconNode } from 'lucide';
import { createElement } from 'react';

/**
 * A Lucide icon in the shop's stroke width. It is hidden from assistive technology: a word or an accessible name
 * always stands beside it.
 *
 * Only Lucide's drawings are used: its components for React have settings for everything, which were a kilobyte of the
 * first load and are read again for every icon that is rendered.
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
  // As arguments, not as a list: shapes have no keys and never change.
  return createElement(
    'svg',
    frame,
    ...shapes.map(([shape, attributes]) => createElement(shape, attributes)),
  );
}
