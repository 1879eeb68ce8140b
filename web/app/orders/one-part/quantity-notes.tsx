import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import { lineCents } from '@parts-forge/contract/money/pricing';
import { maxOrder, nearestSteps, refuseQuantity, suggestBreak } from '@parts-forge/contract/orders/quantity';
import type { Product } from '@parts-forge/contract/products/products';
import { ArrowRight } from 'lucide';
import { Fragment, type RefObject, useState } from 'react';
import { FieldError } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { listPriceFor } from '#app/users/own-prices.ts';
import type { OrderQuantity } from './use-order-quantity.ts';

interface QuantityNotesProps {
  quantity: OrderQuantity;
  product: Product;
  input: RefObject<HTMLInputElement | null>;
}

/** The refusal in the specification's words, otherwise a price break. */
export function QuantityNotes(props: QuantityNotesProps) {
  const { quantity, product, input } = props;
  const [stockAtFirst] = useState(product.quantity);
  const { refusal } = quantity;
  const take = (pieces: number) => {
    quantity.setText(String(pieces));
    input.current?.focus();
  };
  if (refusal === null) return <BreakHint {...props} take={take} />;
  const least = product.minimumOrder;
  const hasMoved = refusal.code === 'above-stock' && product.quantity !== stockAtFirst;
  return (
    <FieldError>
      {refusal.message}
      {refusal.code === 'below-minimum' && (
        <span className="num block">
          <Fix pieces={least} take={take} unit=" pieces" /> cost {formatCents(lineCents(least, product))}.
        </span>
      )}
      {refusal.code === 'wrong-step' && <NearestSteps {...props} take={take} />}
      {hasMoved && <StockMoved product={product} take={take} />}
    </FieldError>
  );
}

type Take = (pieces: number) => void;

function NearestSteps({ quantity, product, take }: QuantityNotesProps & { take: Take }) {
  const steps = nearestSteps(quantity.pieces, product);
  if (steps.length === 0) return null;
  return (
    <>
      {': '}
      {steps.map((pieces, index) => (
        <Fragment key={pieces}>
          {index > 0 && ' or '}
          <Fix pieces={pieces} take={take} />
        </Fragment>
      ))}
      .
    </>
  );
}

function StockMoved({ product, take }: { product: Product; take: Take }) {
  const most = maxOrder(product);
  return (
    <span className="block">
      The stock changed: {formatPieces(product.quantity)} left.
      {refuseQuantity(most, product) === null && (
        <>
          {' Take '}
          <Fix pieces={most} take={take} />.
        </>
      )}
    </span>
  );
}

/** Corrects the quantity and focuses the field. */
function Fix({ pieces, take, unit = '' }: { pieces: number; take: Take; unit?: string }) {
  return (
    <button type="button" className="pf-link pf-fix font-semibold" onClick={() => take(pieces)}>
      {formatPieces(pieces)}
      {unit}
    </button>
  );
}

function BreakHint({ quantity, product, take }: QuantityNotesProps & { take: Take }) {
  const { pieces } = quantity;
  const suggestion = suggestBreak(pieces, product);
  const reached = product.priceBreaks.findLast((each) => each.quantity <= pieces);
  const isOwn = quantity.priceCents < listPriceFor(pieces, product);
  if (!suggestion && (!reached || isOwn)) return null;
  return (
    <p className="num flex gap-2 text-sm leading-5">
      <Icon of={ArrowRight} className="mt-0.5 size-4 shrink-0 text-primary" />
      <span>
        {suggestion ? (
          <>
            <Fix pieces={suggestion.quantity} take={take} unit=" pieces" /> cost{' '}
            {formatCents(suggestion.totalCents)}, {compare(suggestion.differenceCents)} {formatPieces(pieces)}
            , as each is {formatCents(suggestion.priceCents)}.
          </>
        ) : (
          `Each piece is ${formatCents(quantity.priceCents)} from ${formatPieces(reached?.quantity ?? 0)} pieces on.`
        )}
      </span>
    </p>
  );
}

function compare(differenceCents: number): string {
  if (differenceCents === 0) return 'the same as';
  return `${formatCents(Math.abs(differenceCents))} ${differenceCents < 0 ? 'less' : 'more'} than`;
}
