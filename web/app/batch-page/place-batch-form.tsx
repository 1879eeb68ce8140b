import { MAX_TOTAL_CENTS } from '@parts-forge/contract/calls/bounds';
import { formatCents, formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { CircleAlert, Info } from 'lucide';
import { linesFieldId } from '#app/batch/browser-batch.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { DeliveryFields } from '#app/placing/delivery-fields.tsx';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { taxWords } from '#app/users/own-prices.ts';
import { LinkInPage, LinkToLine } from './link-to-line.tsx';
import type { LineOnPage } from './use-batch-lines.ts';
import type { PlaceForm } from './use-place-form.ts';

interface PlaceBatchFormProps {
  place: PlaceForm;
  rows: readonly LineOnPage[];
  /** Lines under Add lines that are not in the batch. */
  leftOut: number;
}

export function PlaceBatchForm({ place, rows, leftOut }: PlaceBatchFormProps) {
  const { displayName } = useSignedInUser();
  return (
    <Panel heading="Place the batch">
      <form
        id={placeFormId}
        tabIndex={-1}
        className="grid gap-5 outline-none"
        noValidate
        onSubmit={place.form.handleSubmit(place.submit)}
      >
        <DeliveryFields entries={place} name={displayName ?? ''} />
        <BatchTotal rows={rows} isPlaceable={place.refusedLines.length === 0} />
        <LinesLeftOut count={leftOut} />
        <PlaceButton place={place} count={rows.length} hasLeftOut={leftOut > 0} />
      </form>
    </Panel>
  );
}

export const placeFormId = 'place-batch';

/** At the window's foot while its form is below a long list. */
export function TotalInView({ rows }: { rows: readonly LineOnPage[] }) {
  return (
    <p
      data-bottom-bar=""
      className="num sticky bottom-0 z-10 flex min-h-12 flex-wrap items-center justify-between gap-x-4 border border-base-300 bg-base-100 px-4 sm:px-6"
    >
      <strong className="price">{formatCents(sumLines(rows))}</strong>
      <LinkInPage id={placeFormId}>Place {formatCount(rows.length, 'order')}</LinkInPage>
    </p>
  );
}

const sumLines = (rows: readonly LineOnPage[]): number =>
  rows.reduce((sum, { gone, totalCents }) => (gone ? sum : sum + totalCents), 0);

function BatchTotal({ rows, isPlaceable }: { rows: readonly LineOnPage[]; isPlaceable: boolean }) {
  const counted = rows.filter(({ gone }) => !gone);
  const cents = sumLines(rows);
  const pieces = counted.reduce((sum, row) => sum + row.pieces, 0);
  return (
    <div className="grid gap-2 border-t border-base-300 pt-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-muted">
          Total price{rows[0] && taxWords(rows[0].product)}
          <span className="num block text-sm">
            {formatCount(rows.length, 'order')}, {formatPieces(pieces)} pieces
          </span>
        </span>
        <span
          aria-live="polite"
          className={`price min-w-0 !text-[1.75rem] !leading-9 [overflow-wrap:anywhere] ${isPlaceable ? '' : 'text-muted'}`.trimEnd()}
        >
          {formatCents(cents)}
        </span>
      </div>
      <p aria-live="polite" className="flex gap-2 text-[0.9375rem] empty:hidden">
        {cents > MAX_TOTAL_CENTS && rows.length > 1 && (
          <>
            <Icon of={Info} className="mt-0.5 size-5 shrink-0 text-warning" />
            <span>
              One payment takes at most {formatCents(MAX_TOTAL_CENTS)}: these orders are paid with several.
            </span>
          </>
        )}
      </p>
    </div>
  );
}

/** Warns that typed or pasted lines are not in the batch. */
function LinesLeftOut({ count }: { count: number }) {
  const are = count === 1 ? 'is' : 'are';
  return (
    <div id="lines-left-out" className="empty:hidden">
      <p aria-live="polite" className="flex gap-2 text-[0.9375rem] empty:hidden">
        {count > 0 && (
          <>
            <Icon of={Info} className="mt-0.5 size-5 shrink-0 text-warning" />
            <span>
              <strong className="font-semibold">
                {formatCount(count, 'line')} {are} left out:
              </strong>{' '}
              {count === 1 ? 'it stands' : 'they stand'} under Add lines and {are} not in the batch.{' '}
              <LinkInPage id={linesFieldId}>Go to {count === 1 ? 'it' : 'them'}</LinkInPage>
            </span>
          </>
        )}
      </p>
    </div>
  );
}

function PlaceButton({ place, count, hasLeftOut }: { place: PlaceForm; count: number; hasLeftOut: boolean }) {
  const { refusedLines, canSend, secondsLeft, form } = place;
  const label = `Place ${formatCount(count, 'order')}`;
  const [first] = refusedLines;
  return (
    <>
      <div aria-live="polite" id="place-blocked">
        {refusedLines.length > 0 && (
          <p className="flex gap-2 text-[0.9375rem] font-medium text-error">
            <Icon of={CircleAlert} className="mt-0.5 size-5 shrink-0" />
            {describeObstacles(refusedLines)}
          </p>
        )}
      </div>
      {first && (
        <p className="text-[0.9375rem]">
          <LinkToLine line={first} />
        </p>
      )}
      <Button
        type="submit"
        kind="primary"
        className="w-full"
        busy={form.formState.isSubmitting}
        busyLabel="Placing…"
        disabled={refusedLines.length > 0}
        aria-disabled={!canSend || undefined}
        aria-describedby={hasLeftOut ? 'place-blocked lines-left-out' : 'place-blocked'}
      >
        {secondsLeft > 0 ? `${label} in ${secondsLeft} s` : label}
      </Button>
    </>
  );
}

function describeObstacles(refusedLines: readonly LineOnPage[]): string {
  const isOne = refusedLines.length === 1;
  const lines = isOne ? '1 line' : `${refusedLines.length} lines`;
  // Parts without a valid quantity must be removed.
  const need = refusedLines.every(({ isMendable }) => isMendable) ? 'another quantity' : 'a change';
  return `${lines} ${isOne ? 'needs' : 'need'} ${need} first.`;
}
