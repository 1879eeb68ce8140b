import { formatPieces } from '@parts-forge/contract/money/money';
import { CircleAlert, Info } from 'lucide';
import { Icon } from '#app/ui/icon.tsx';
import { quantityFieldId } from './line-ids.ts';
import type { LineOnPage } from './use-batch-lines.ts';

/** Below a line: what is so, and what can be done. */
export function LineDecision({ line }: { line: LineOnPage }) {
  if (line.problem === null && line.formerCents === null) return null;
  return (
    <p className={`say ${line.problem ? 'text-error' : 'text-warning'}`}>
      <Icon of={line.problem ? CircleAlert : Info} className="size-4" />
      <span>
        {line.problem ? <FixableSentence line={line} /> : 'The price changed after you added the line.'}
      </span>
    </p>
  );
}

/** Pressing a quantity fills and focuses the field. */
function FixableSentence({ line }: { line: LineOnPage }) {
  const fix = (pieces: number) => {
    document.getElementById(quantityFieldId(line))?.focus();
    line.setText(String(pieces));
  };
  return (
    <>
      {line.problem?.map((part) =>
        typeof part === 'string' ? (
          part
        ) : (
          <button
            key={part}
            type="button"
            className="pf-link pf-fix font-semibold"
            aria-label={`${formatPieces(part)} pieces of ${line.product.name}`}
            onClick={() => fix(part)}
          >
            {formatPieces(part)}
          </button>
        ),
      )}
    </>
  );
}
