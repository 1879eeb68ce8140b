import { quantityFieldId, removeButtonId } from './lines-table.tsx';
import type { LineOnPage } from './use-batch-lines.ts';

/** Leads into the quantity of the first line that is in the way, or to the button that removes it. */
export function LinkToLine({ line }: { line: LineOnPage }) {
  const id = line.isMendable ? quantityFieldId(line) : removeButtonId(line.product._id);
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
      Go to the first
    </a>
  );
}
