import { formatPieces } from '@parts-forge/contract/money';
import type { Product } from '@parts-forge/contract/products';
import { useLayoutEffect, useRef } from 'react';

interface QuantityGaugeProps {
  /** null for an empty field */
  pieces: number | null;
  product: Pick<Product, 'quantity' | 'minimumOrder'>;
  /** The id of the two ends in words, for the field's description. */
  rangeId: string;
}

/**
 * Where a quantity lies between the minimum order and the stock, on a logarithmic scale; outside of both
 * the mark stands in the hatched ends. Assistive technology gets the two ends in words.
 */
export function QuantityGauge({ pieces, product, rangeId }: QuantityGaugeProps) {
  const gauge = useRef<HTMLDivElement>(null);
  const { quantity: stock, minimumOrder } = product;
  const count = pieces ?? 0;
  const outside = count < minimumOrder ? 'low' : count > stock ? 'high' : undefined;
  const share =
    outside || stock <= minimumOrder ? 0 : Math.log(count / minimumOrder) / Math.log(stock / minimumOrder);
  useLayoutEffect(() => {
    // The style sheet decides where the mark stands outside; an own value would win over it.
    if (outside) gauge.current?.style.removeProperty('--at');
    else gauge.current?.style.setProperty('--at', `${(100 * share).toFixed(2)}%`);
  }, [outside, share]);
  return (
    <div ref={gauge} className="pf-gauge" data-out={outside}>
      <div className="track" aria-hidden="true">
        <span className="mark" />
      </div>
      <p className="flex justify-between" id={rangeId}>
        <span>{formatPieces(minimumOrder)} minimum</span>
        <span>{formatPieces(stock)} in stock</span>
      </p>
    </div>
  );
}
