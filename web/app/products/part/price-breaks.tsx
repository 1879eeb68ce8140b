import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import { type Priced, unitPriceFor } from '@parts-forge/contract/money/pricing';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { listPriceFor, taxWords } from '#app/users/own-prices.ts';

type Broken = Priced & Pick<Product, 'quantity' | 'minimumOrder'>;

interface PriceBreaksProps {
  product: Broken;
  /** Null when none can be ordered. */
  pieces: number | null;
}

/** The whole order gets the price of its quantity: the list's, or one's own where it is lower. */
export function PriceBreaks({ product, pieces }: PriceBreaksProps) {
  const rows = listRows(product);
  const hasOwn = rows.some(({ cents, listCents }) => cents < listCents);
  const current = pieces === null ? undefined : (rows.findLast((row) => row.quantity <= pieces) ?? rows[0]);
  return (
    <table className="pf-breaks">
      <caption className="sr-only">
        {hasOwn
          ? 'List price and your price by quantity; the lower one is charged'
          : 'Price per unit by quantity; the whole order has the price of its quantity'}
      </caption>
      <thead>
        <tr>
          <th scope="col">Quantity</th>
          <th scope="col">
            {hasOwn ? 'List price' : 'Price Per Unit'}
            {taxWords(product)}
          </th>
          <th scope="col" className="w-24">
            {hasOwn ? 'Your price' : 'Less'}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PriceRow
            key={row.quantity}
            row={row}
            product={product}
            hasOwn={hasOwn}
            isCurrent={row === current}
          />
        ))}
      </tbody>
    </table>
  );
}

interface Row {
  quantity: number;
  /** With agreed prices. */
  cents: number;
  listCents: number;
}

/** One for each quantity at which either price changes. */
function listRows(product: Broken): Row[] {
  const { minimumOrder, priceBreaks, ownPrices = [] } = product;
  const starts = [
    ...priceBreaks.map(({ quantity }) => quantity),
    ...ownPrices.map(({ fromQuantity }) => fromQuantity),
  ].filter((start) => start > minimumOrder);
  const rows = [...new Set([minimumOrder, ...starts])]
    .sort((a, b) => a - b)
    .map((quantity) => ({
      quantity,
      cents: unitPriceFor(quantity, product),
      listCents: listPriceFor(quantity, product),
    }));
  return rows.filter(({ cents, listCents }, index) => {
    const before = rows[index - 1];
    return before?.cents !== cents || before.listCents !== listCents;
  });
}

interface PriceRowProps {
  row: Row;
  product: Broken;
  hasOwn: boolean;
  isCurrent: boolean;
}

function PriceRow({ row, product, hasOwn, isCurrent }: PriceRowProps) {
  // An out-of-stock part has its own message.
  const isAboveStock = isAvailable(product) && row.quantity > product.quantity;
  return (
    <tr aria-current={isCurrent || undefined} className={isAboveStock ? 'text-muted' : undefined}>
      <th scope="row">
        <span className="whitespace-nowrap">from {formatPieces(row.quantity)}</span>
        {isCurrent && <span className="sr-only">, applies now</span>}
        {isAboveStock && hasOwn && <span className="block text-micro">above stock</span>}
      </th>
      <td className={hasOwn ? '!font-normal' : undefined}>{formatCents(row.listCents)}</td>
      {hasOwn ? (
        <td className={isAboveStock ? '!text-base' : '!text-base !text-base-content'}>
          {formatCents(row.cents)}
        </td>
      ) : (
        <td className="whitespace-nowrap">
          {isAboveStock ? (
            'above stock'
          ) : (
            <Saving cents={row.listCents} fullCents={listPriceFor(0, product)} />
          )}
        </td>
      )}
    </tr>
  );
}

function Saving({ cents, fullCents }: { cents: number; fullCents: number }) {
  if (cents === fullCents) return <span className="sr-only">full price</span>;
  return <>{((1 - cents / fullCents) * 100).toFixed(1)} %</>;
}
