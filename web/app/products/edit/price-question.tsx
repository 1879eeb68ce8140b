import { formatAmount, formatPieces } from '@parts-forge/contract/money/money';
import { findPriceMoves, type Priced } from '@parts-forge/contract/money/pricing';
import { ConfirmDialog } from '#app/ui/dialog.tsx';

/** `$64.50 → $6,450.00 from 500 pieces`. */
export const describePriceMoves = (before: Priced, after: Priced): string[] =>
  findPriceMoves(before, after).map(({ quantity, was, price }) => {
    const from = quantity === 0 ? '' : ` from ${formatPieces(quantity)} pieces`;
    return `${formatAmount(was)} → ${formatAmount(price)}${from}`;
  });

interface PriceQuestionProps {
  moves: readonly string[];
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
        {moves.map((move) => (
          <li key={move}>{move}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
