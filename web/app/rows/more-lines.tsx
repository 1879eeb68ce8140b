import { formatPieces } from '@parts-forge/contract/money/money';
import type { MouseEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';

interface MoreLinesProps {
  left: number;
  onShow: () => void;
  /** After the count. */
  children?: ReactNode;
}

/** Shows the other rows of the table above it, or around it. The first of them gets the focus. */
export function MoreLines({ left, onShow, children }: MoreLinesProps) {
  if (left === 0) return null;
  const show = ({ currentTarget }: MouseEvent) => {
    const isAbove = (row: Element) =>
      row.compareDocumentPosition(currentTarget) === Node.DOCUMENT_POSITION_FOLLOWING;
    const last = [...document.querySelectorAll('tr')].findLast(isAbove);
    flushSync(onShow);
    const first = last?.nextElementSibling as HTMLElement | null | undefined;
    first?.setAttribute('tabindex', '-1');
    first?.focus();
  };
  return (
    <button type="button" className="pf-link pf-fix font-medium" onClick={show}>
      {left === 1 ? '1 more line' : `${formatPieces(left)} more lines`}
      {children}
    </button>
  );
}
