import { REPEATED_STOCK_HOURS } from '@parts-forge/contract/bounds';
import { formatPieces } from '@parts-forge/contract/money';
import { Banner } from '#app/ui/banner.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import type { CheckedLine } from './use-restock-file.ts';

/** Moments at which parts last received the same pieces, newest first. */
export const listRepeats = (lines: readonly CheckedLine[]): string[] =>
  lines.flatMap(({ result }) => result?.addedBefore ?? []).sort((a, b) => (a < b ? 1 : -1));

export function RepeatsBanner({ repeats, total }: { repeats: readonly string[]; total: number }) {
  const [latest] = repeats;
  if (latest === undefined) return null;
  return (
    <Banner kind="error" className="mt-6 bg-base-100">
      <strong className="font-semibold">
        {repeats.length === total
          ? 'The same pieces were already added'
          : `${formatPieces(repeats.length)} of ${formatPieces(total)} lines ${repeats.length === 1 ? 'was' : 'were'} added already`}
        , last on <time dateTime={latest}>{formatMoment(latest)}</time>.
      </strong>{' '}
      Within {REPEATED_STOCK_HOURS} hours the same pieces for the same parts may be the same file: applied
      once more, it adds them once more.
    </Banner>
  );
}

interface RepeatQuestionProps {
  repeats: readonly string[];
  onClose: () => void;
  onConfirm: () => void;
}

export function RepeatQuestion({ repeats, onClose, onConfirm }: RepeatQuestionProps) {
  return (
    <ConfirmDialog
      title="Add the same pieces again?"
      kind="primary"
      safe="Not again"
      confirm="Add again"
      onClose={onClose}
      onConfirm={() => {
        onClose();
        onConfirm();
      }}
    >
      <p className="num">
        {repeats.length === 1 ? '1 part' : `${formatPieces(repeats.length)} parts`} got the same pieces on{' '}
        {formatMoment(repeats[0] ?? '')}. Continue only if as many have arrived again.
      </p>
    </ConfirmDialog>
  );
}
