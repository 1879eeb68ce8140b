import { formatAmount, formatPieces, toAmount } from '@parts-forge/contract/money';
import { movesByHalf, type Priced, unitPriceFor } from '@parts-forge/contract/pricing';
import { ConfirmDialog } from '#app/ui/dialog.tsx';

interface PriceMove {
  /** Null for the part's own price. */
  from: number | null;
  was: number;
  is: number;
}

/** Prices that rise above 1.5 times or fall below half, each to that of its quantity before. */
export function listPriceMoves(before: Priced, after: Priced): PriceMove[] {
  const moves = after.priceBreaks.map(({ quantity, price }) => ({
    from: quantity,
    was: toAmount(unitPriceFor(quantity, before)),
    is: price,
  }));
  return [{ from: null, was: before.price, is: after.price }, ...moves].filter(({ was, is }) =>
    movesByHalf(was, is),
  );
}

interface PriceQuestionProps {
  moves: readonly PriceMove[];
  onClose: () => void;
  onConfirm: () => void;
}

/** The question of a restock file. */
export function PriceQuestion({ moves, onClose, onConfirm }: PriceQuestionProps) {
  const isOne = moves.length === 1;
  return (
    <ConfirmDialog
      title={`${isOne ? '1 price moves' : `${moves.length} prices move`} by more than half`}
      safe="Keep editing"
      confirm={isOne ? 'This price is right' : 'These prices are right'}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <ul className="num">
        {moves.map(({ from, was, is }) => (
          <li key={from}>
            {`${formatAmount(was)} → ${formatAmount(is)}${from === null ? '' : ` from ${formatPieces(from)} pieces`}`}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
