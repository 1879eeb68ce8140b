import type { ReactNode } from 'react';
import { quantityFieldId, removeButtonId } from './lines-table.tsx';
import type { LineOnPage } from './use-batch-lines.ts';

/** Leads to the first refused line: to its quantity, or to its remove button. */
export function LinkToLine({ line }: { line: LineOnPage }) {
  const id = line.isMendable ? quantityFieldId(line) : removeButtonId(line.product._id);
  return <LinkInPage id={id}>Go to the first</LinkInPage>;
}

/** Moves the focus to a control of this page. */
export function LinkInPage({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a
      className="pf-link"
      href={`#${id}`}
      onClick={(event) => {
        // A history entry would come without the router's knowledge.
        event.preventDefault();
        document.getElementById(id)?.focus();
      }}
    >
      {children}
    </a>
  );
}
