import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import { movesByHalf } from '@parts-forge/contract/pricing';
import type { CheckedLine } from './use-restock-file.ts';

const SHOWN = 20;

/** Lines whose price rises above 1.5 times or falls below half. */
export const listPriceMoves = (lines: readonly CheckedLine[]): CheckedLine[] =>
  lines.filter(
    ({ result }) => result?.before && result.after && movesByHalf(result.before.price, result.after.price),
  );

interface PriceMovesProps {
  lines: readonly CheckedLine[];
  isSure: boolean;
  onChange: (isSure: boolean) => void;
}

export function PriceMoves({ lines, isSure, onChange }: PriceMovesProps) {
  if (lines.length === 0) return null;
  const isOne = lines.length === 1;
  return (
    <fieldset className="pf-panel mt-6 !border-error p-6" aria-labelledby="price-moves">
      <h2 id="price-moves" className="font-semibold">
        {isOne ? '1 price moves' : `${formatPieces(lines.length)} prices move`} by more than half
      </h2>
      <ul className="num mt-3 text-[0.9375rem]">
        {lines.slice(0, SHOWN).map(({ line, result }) => (
          <li key={line}>
            {`${result?.number}: ${formatAmount(result?.before?.price ?? 0)} → ${formatAmount(result?.after?.price ?? 0)}`}
          </li>
        ))}
        {lines.length > SHOWN && (
          <li className="text-muted">and {formatPieces(lines.length - SHOWN)} more</li>
        )}
      </ul>
      <label className="mt-4 flex items-center gap-3">
        <input
          type="checkbox"
          className="checkbox checkbox-neutral size-6 rounded-[3px]"
          checked={isSure}
          onChange={(event) => onChange(event.target.checked)}
        />
        {isOne ? 'This price is right' : 'These prices are right'}
      </label>
    </fieldset>
  );
}
