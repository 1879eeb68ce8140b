import { formatCents, formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { CircleAlert } from 'lucide';
import type { ReactNode } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { taxWords } from '#app/users/own-prices.ts';
import { findDecisionId } from './line-ids.ts';
import { LinkInPage } from './link-in-page.tsx';
import { placeFormId } from './place-batch-form.tsx';
import type { LineOnPage } from './use-batch-lines.ts';
import type { Entry } from './use-groups.ts';
import type { PlaceForm } from './use-place-form.ts';

interface BatchDockProps {
  place: PlaceForm;
  ready: readonly LineOnPage[];
  toDecide: readonly Entry[];
  hasLeftOut: boolean;
  /** Buttons that stand before Place. */
  children: ReactNode;
}

/** Total of the ready lines and the page's act, always in view. */
export function BatchDock({ place, ready, toDecide, hasLeftOut, children }: BatchDockProps) {
  const { canSend, secondsLeft, form } = place;
  const cents = ready.reduce((sum, { totalCents }) => sum + totalCents, 0);
  const pieces = ready.reduce((sum, row) => sum + row.pieces, 0);
  const all = ready.length + toDecide.length;
  const isNone = ready.length === 0;
  return (
    <section className="pf-dock" data-bottom-bar="" aria-label="Total and act">
      <div className="facts">
        <p className="num">
          <strong aria-live="polite">{formatCents(cents)}</strong>
          <span className="sub">
            {ready.length < all ? `${ready.length} of ${formatCount(all, 'line')}` : formatCount(all, 'line')}
            , {formatCount(pieces, 'piece')}
            {ready[0] && taxWords(ready[0].product)}
          </span>
        </p>
        <p className="note" id="place-blocked" aria-live="polite">
          <DecisionsLeft toDecide={toDecide} isNoneReady={isNone} />
        </p>
      </div>
      <div className="acts">
        {children}
        <Button
          type="submit"
          form={placeFormId}
          kind="primary"
          size="bar"
          className="num"
          busy={form.formState.isSubmitting}
          busyLabel="Placing…"
          disabled={isNone}
          aria-disabled={!canSend || undefined}
          aria-describedby={hasLeftOut ? 'place-blocked lines-left-out' : 'place-blocked'}
        >
          <span>
            Place {formatPieces(ready.length)}
            <span className="max-sm:sr-only">{ready.length === 1 ? ' order' : ' orders'}</span>
            {secondsLeft > 0 && ` in ${secondsLeft} s`}
          </span>
        </Button>
      </div>
    </section>
  );
}

interface DecisionsLeftProps extends Pick<BatchDockProps, 'toDecide'> {
  isNoneReady: boolean;
}

function DecisionsLeft({ toDecide, isNoneReady }: DecisionsLeftProps) {
  const [first] = toDecide;
  if (!first) return null;
  return (
    <>
      <Icon of={CircleAlert} className="size-4 text-error" />
      <span>
        <LinkInPage id={findDecisionId(first)}>{`${formatPieces(toDecide.length)} to decide`}</LinkInPage>
        <span className={isNoneReady ? '' : 'max-sm:hidden'}>
          {isNoneReady
            ? ': no line is ready to be placed'
            : ` ${toDecide.length === 1 ? 'stays' : 'stay'} in the batch`}
        </span>
      </span>
    </>
  );
}
