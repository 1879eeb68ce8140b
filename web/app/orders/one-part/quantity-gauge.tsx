import { MAX_TOTAL_CENTS } from '@parts-forge/contract/calls/bounds';
import { formatPieces } from '@parts-forge/contract/money/money';
import { lineCents } from '@parts-forge/contract/money/pricing';
import type { Product } from '@parts-forge/contract/products/products';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';

interface QuantityGaugeProps {
  pieces: number;
  product: Pick<Product, 'quantity' | 'minimumOrder' | 'price' | 'priceBreaks'>;
  /** Id of the range as text, for the field's description. */
  rangeId: string;
}

/**
 * The quantity between minimum order and stock on a logarithmic scale, with ticks at price breaks. Refused
 * quantities put the mark into a hatched end.
 */
export function QuantityGauge({ pieces, product, rangeId }: QuantityGaugeProps) {
  const gauge = useRef<HTMLDivElement>(null);
  const { quantity: stock, minimumOrder, priceBreaks } = product;
  const isTooMuch = pieces > stock || lineCents(pieces, product) > MAX_TOTAL_CENTS;
  const outside = pieces < minimumOrder ? 'low' : isTooMuch ? 'high' : undefined;
  const place = outside ? null : placeOnScale(pieces, product);
  useLayoutEffect(() => {
    // An inline value would override the style sheet's place outside the ends.
    if (place === null) gauge.current?.style.removeProperty('--at');
    else gauge.current?.style.setProperty('--at', place);
  }, [place]);
  const ticks = priceBreaks.filter(({ quantity }) => quantity <= stock);
  return (
    <div
      ref={gauge}
      className="pf-gauge"
      data-out={outside}
      data-ticks={priceBreaks.length > 0 ? '' : undefined}
    >
      <div className="track" aria-hidden="true">
        {ticks.map(({ quantity }) => (
          <Tick
            key={quantity}
            text={formatPieces(quantity)}
            place={placeOnScale(quantity, product)}
            isReached={pieces >= quantity}
          />
        ))}
        <span className="mark" />
      </div>
      <p className="flex justify-between" id={rangeId}>
        <span>{formatPieces(minimumOrder)} minimum</span>
        <span>{formatPieces(stock)} in stock</span>
      </p>
    </div>
  );
}

/** Hidden until hydration: the content security policy forbids inline styles. */
function Tick({ text, place, isReached }: { text: string; place: string; isReached: boolean }) {
  const tick = useRef<HTMLSpanElement>(null);
  const [isPlaced, setPlaced] = useState(false);
  useEffect(() => {
    tick.current?.style.setProperty('--at', place);
    setPlaced(true);
  }, [place]);
  return (
    <span
      ref={tick}
      className="tick"
      hidden={!isPlaced}
      data-from={text}
      data-on={isReached ? '' : undefined}
    />
  );
}

function placeOnScale(
  count: number,
  { quantity: stock, minimumOrder }: QuantityGaugeProps['product'],
): string {
  const share = stock <= minimumOrder ? 0 : Math.log(count / minimumOrder) / Math.log(stock / minimumOrder);
  return `${(100 * share).toFixed(2)}%`;
}
