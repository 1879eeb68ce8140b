import type { ReactNode } from 'react';
import { quantityFieldId, removeButtonId } from './lines-table.tsx';
import type { LineOnPage } from './use-batch-lines.ts';

/** Leads to the first refused line's quantity, or to its remove button. */
export function LinkToLine({ line }: { line: LineOnPage }) {
  const id = line.isMendable ? quantityFieldId(line) : removeButtonId(line.product._id);
  return <LinkInPage id={id}>Go to the first</LinkInPage>;
}

export function LinkInPage({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a
      className="pf-link"
      href={`#${id}`}
      onClick={(event) => {
        // The router would not know the link's history entry.
        event.preventDefault();
        document.getElementById(id)?.focus();
      }}
    >
      {children}
    </a>
  );
}
