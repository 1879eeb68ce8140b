import { formatPieces } from '@parts-forge/contract/money/money';
import { CircleAlert, Info } from 'lucide';
import { InsteadOf, TakeInstead } from '#app/products/instead/take-instead.tsx';
import { BackInStock } from '#app/products/part/back-in-stock.tsx';
import { findEnd } from '#app/products/part/own-price.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { Icon } from '#app/ui/icon.tsx';
import { listPriceFor } from '#app/users/own-prices.ts';
import { canOrder } from './explain-line.ts';
import type { Exchange } from './instead.tsx';
import { quantityFieldId } from './line-ids.ts';
import type { LineOnPage } from './use-batch-lines.ts';

interface LineDecisionProps {
  line: LineOnPage;
  exchange: Exchange;
}

/** Says below a line what is wrong, and offers what can be done. */
export function LineDecision({ line, exchange }: LineDecisionProps) {
  const { product, problem, gone } = line;
  const exchanged = exchange.exchanged.get(product._id);
  return (
    <>
      {exchanged && (
        <InsteadOf text={exchanged.text} undo={exchanged.before && (() => void exchange.undo(product._id))} />
      )}
      <LineSentence line={line} />
      {problem && !gone && !canOrder(line) && <BackInStock productId={product._id} size="row" />}
      {problem && <TakeInstead line={line} onTake={(...taken) => void exchange.exchange(line, ...taken)} />}
    </>
  );
}

function LineSentence({ line }: { line: LineOnPage }) {
  const isOwn = line.unitCents < listPriceFor(line.pieces, line.product);
  if (line.problem === null && isOwn) return <OwnPriceNote line={line} />;
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

function OwnPriceNote({ line: { pieces, product } }: { line: LineOnPage }) {
  const end = findEnd(pieces, product);
  return (
    <p className="say">
      <Icon of={Info} className="size-4" />
      <span>Your price{end && ` until ${formatDay(end, 'UTC')}`}.</span>
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
