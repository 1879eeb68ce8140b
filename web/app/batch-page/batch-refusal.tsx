import type { LineProblem } from '@parts-forge/contract/calls/problem-body';
import { formatCount } from '@parts-forge/contract/money/money';
import { describeError } from '#app/errors/describe-error.ts';
import { ShopProblem } from '#app/http/errors.ts';
import { PlacingNote } from '#app/placing/placing-error.tsx';
import { findDecisionId } from './line-ids.ts';
import { LinkInPage } from './link-in-page.tsx';
import type { LineOnPage } from './use-batch-lines.ts';

/** Tells why no line was placed. The lines were refetched, so each shows its problem. */
export function BatchRefusal({ error, rows }: { error: Error; rows: readonly LineOnPage[] }) {
  const refused = error instanceof ShopProblem ? error.body.lines : undefined;
  if (refused) return <RefusedLines refused={refused} rows={rows} />;
  return (
    <PlacingNote lead="Nothing was placed." error={error}>
      {describeError(error)}
    </PlacingNote>
  );
}

function RefusedLines({ refused, rows }: { refused: readonly LineProblem[]; rows: readonly LineOnPage[] }) {
  const [first, ...others] = rows.filter(({ problem }) => problem !== null);
  if (!first) {
    const changed = refused.every(({ code }) => code === 'price-changed') ? 'Prices' : 'Some parts';
    return (
      <PlacingNote lead={`${changed} have changed.`}>
        Nothing was placed. Look at the lines and the total, and place the batch again.
      </PlacingNote>
    );
  }
  const count = others.length + 1;
  const are = count === 1 ? 'it is' : 'they are';
  return (
    <PlacingNote lead={`${count} of ${formatCount(rows.length, 'line')} cannot be ordered as ${are}.`}>
      Nothing was placed.{' '}
      <LinkInPage id={findDecisionId({ row: first, number: 0 })}>Go to the first</LinkInPage>
    </PlacingNote>
  );
}
