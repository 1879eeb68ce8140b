import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import { type Priced, unitPriceFor } from '@parts-forge/contract/money/pricing';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { taxWords } from '#app/users/own-prices.ts';

type Broken = Priced & Pick<Product, 'quantity' | 'minimumOrder'>;

interface PriceBreaksProps {
  product: Broken;
  /** Null when none can be ordered. */
  pieces: number | null;
}

/** The whole order gets the price of its quantity. */
export function PriceBreaks({ product, pieces }: PriceBreaksProps) {
  const rows = [{ quantity: product.minimumOrder, price: product.price }, ...product.priceBreaks];
  const current = pieces === null ? undefined : (rows.findLast((row) => row.quantity <= pieces) ?? rows[0]);
  return (
    <table className="pf-breaks">
      <caption className="sr-only">
        Price per unit by quantity; the whole order has the price of its quantity
      </caption>
      <thead>
        <tr>
          <th scope="col">Quantity</th>
          <th scope="col">Price Per Unit{taxWords(product)}</th>
          <th scope="col" className="w-24">
            Less
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PriceRow key={row.quantity} row={row} product={product} isCurrent={row === current} />
        ))}
      </tbody>
    </table>
  );
}

interface PriceRowProps {
  row: { quantity: number; price: number };
  product: Broken;
  isCurrent: boolean;
}

function PriceRow({ row, product, isCurrent }: PriceRowProps) {
  // An out-of-stock part has its own message.
  const isAboveStock = isAvailable(product) && row.quantity > product.quantity;
  return (
    <tr aria-current={isCurrent || undefined} className={isAboveStock ? 'text-muted' : undefined}>
      <th scope="row">
        <span className="whitespace-nowrap">from {formatPieces(row.quantity)}</span>
        {isCurrent && <span className="sr-only">, applies now</span>}
      </th>
      <td>{formatCents(unitPriceFor(row.quantity, product))}</td>
      <td className="whitespace-nowrap">
        {isAboveStock ? 'above stock' : <Saving price={row.price} fullPrice={product.price} />}
      </td>
    </tr>
  );
}

function Saving({ price, fullPrice }: { price: number; fullPrice: number }) {
  if (price === fullPrice) return <span className="sr-only">full price</span>;
  return <>{((1 - price / fullPrice) * 100).toFixed(1)} %</>;
}
