import type { ReactNode } from 'react';
import { quantityFieldId, removeButtonId } from './lines-table.tsx';
import type { LineOnPage } from './use-batch-lines.ts';

/** Leads into the quantity of the first line that is in the way, or to the button that removes it. */
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
        // Without an entry of its own in the history, which the router would not know.
        event.preventDefault();
        document.getElementById(id)?.focus();
      }}
    >
      {children}
    </a>
  );
}
