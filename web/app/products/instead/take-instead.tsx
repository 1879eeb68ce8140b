import { formatPieces } from '@parts-forge/contract/money/money';
import { maxOrder, refuseQuantity } from '@parts-forge/contract/orders/quantity';
import type { Instead } from '@parts-forge/contract/products/instead';
import { Button } from '#app/ui/button.tsx';
import { InsteadList } from './instead-list.tsx';
import type { ShortLine } from './short-line.ts';

interface TakeInsteadProps {
  line: ShortLine;
  /** @param pieces of the other part; @param left of the line's part */
  onTake: (other: Instead, pieces: number, left: number) => void;
}

/** Offers the parts that fit instead of a short or ended line. */
export function TakeInstead({ line, onTake }: TakeInsteadProps) {
  const { product, quantity, instead = [] } = line;
  return (
    <InsteadList
      product={product}
      instead={instead}
      wanted={quantity}
      renderActs={(other) => {
        const { product: that, quantity: pieces } = other;
        const [left, rest] = splitLine(line, that);
        return (
          <>
            {pieces > 0 && (
              <Button
                kind="line"
                aria-label={`Take ${pieces === quantity ? 'this' : formatPieces(pieces)} instead: ${that.name}`}
                onClick={() => onTake(other, pieces, 0)}
              >
                Take {pieces === quantity ? 'this' : formatPieces(pieces)} instead
              </Button>
            )}
            {rest > 0 && (
              <Button
                kind="line"
                aria-label={`${formatPieces(left)} of this and ${formatPieces(rest)} of that: ${product.number} and ${that.number}`}
                onClick={() => onTake(other, rest, left)}
              >
                {formatPieces(left)} of this and {formatPieces(rest)} of that
              </Button>
            )}
          </>
        );
      }}
    />
  );
}

/** All that is left of the part, and the rest of the other one. 0 and 0 where either cannot be ordered so. */
function splitLine({ product, quantity, gone }: ShortLine, other: Instead['product']): [number, number] {
  if (gone || !('price' in product)) return [0, 0];
  const left = maxOrder(product);
  const rest = quantity - left;
  const isRefused = refuseQuantity(left, product) !== null || refuseQuantity(rest, other) !== null;
  return isRefused ? [0, 0] : [left, rest];
}

/** Below a line that stands for another one. @param undo null where the other one cannot come back */
export const InsteadOf = ({ text, undo }: { text: string; undo: (() => void) | null }) => (
  <p className="say text-muted">
    <span>
      {text}
      {undo && (
        <>
          {' '}
          <button type="button" className="pf-link pf-fix font-semibold" onClick={undo}>
            Undo
          </button>
        </>
      )}
    </span>
  </p>
);
