import { MAX_TOTAL_CENTS } from '@parts-forge/contract/calls/bounds';
import { formatCents, formatCount } from '@parts-forge/contract/money/money';
import { Info } from 'lucide';
import type { ReactNode } from 'react';
import { linesFieldId } from '#app/batch/browser-batch.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { DeliveryFields } from '#app/placing/delivery-fields.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { LinkInPage } from './link-in-page.tsx';
import type { LineOnPage } from './use-batch-lines.ts';
import type { PlaceForm } from './use-place-form.ts';

interface PlaceBatchFormProps {
  place: PlaceForm;
  /** The lines that are ready. */
  rows: readonly LineOnPage[];
  /** Lines under Add lines that are not in the batch. */
  leftOut: number;
}

export const placeFormId = 'place-batch';

export function PlaceBatchForm({ place, rows, leftOut }: PlaceBatchFormProps) {
  const { displayName } = useSignedInUser();
  return (
    <Panel heading="Place the batch">
      <form
        id={placeFormId}
        tabIndex={-1}
        className="grid scroll-mt-40 gap-5 outline-none"
        noValidate
        onSubmit={place.form.handleSubmit(place.submit)}
      >
        <DeliveryFields entries={place} name={displayName ?? ''} />
        <TotalNote rows={rows} />
        <LinesLeftOut count={leftOut} />
      </form>
    </Panel>
  );
}

/** One payment may not take them all. */
function TotalNote({ rows }: { rows: readonly LineOnPage[] }) {
  const cents = rows.reduce((sum, { totalCents }) => sum + totalCents, 0);
  return (
    <Note>
      {cents > MAX_TOTAL_CENTS && rows.length > 1 && (
        <>One payment takes at most {formatCents(MAX_TOTAL_CENTS)}: these orders are paid with several.</>
      )}
    </Note>
  );
}

/** Warns that typed or pasted lines are not in the batch. */
function LinesLeftOut({ count }: { count: number }) {
  const are = count === 1 ? 'is' : 'are';
  return (
    <div id="lines-left-out" className="empty:hidden">
      <Note>
        {count > 0 && (
          <>
            <strong className="font-semibold">
              {formatCount(count, 'line')} {are} left out:
            </strong>{' '}
            {count === 1 ? 'it stands' : 'they stand'} under Add lines and {are} not in the batch.{' '}
            <LinkInPage id={linesFieldId}>Go to {count === 1 ? 'it' : 'them'}</LinkInPage>
          </>
        )}
      </Note>
    </div>
  );
}

/** Always rendered, so that it is announced. */
const Note = ({ children }: { children: ReactNode }) => (
  <p aria-live="polite" className="flex gap-2 text-[0.9375rem] empty:hidden">
    {children && (
      <>
        <Icon of={Info} className="mt-0.5 size-5 shrink-0 text-warning" />
        <span>{children}</span>
      </>
    )}
  </p>
);
