import { MAX_BATCH_LINES } from '@parts-forge/contract/calls/bounds';
import { formatPieces, toCents } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { Instead } from '@parts-forge/contract/products/instead';
import type { Product } from '@parts-forge/contract/products/products';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { productQueryOptions } from '#app/products/queries.ts';
import { useLateFocus } from '#app/ui/use-late-focus.ts';
import { useOwnPrice } from '#app/users/own-prices.ts';

/** What the orders of one part asked for, or what stands in its place. */
interface Line {
  productId: string;
  number: string;
  name: string;
  quantity: number;
  /** In cents, as ordered. */
  thenCents: number;
  standsFor: readonly Exchange[];
}

/** Puts another part in the place of a line. */
interface Exchange {
  from: Pick<Line, 'productId' | 'number'>;
  other: Instead;
  /** Of the other part. */
  pieces: number;
  /** Of the line's part. */
  left: number;
}

export interface LineNow extends Line {
  /** Null if it is no longer sold, undefined while it loads. */
  part: Product | null | undefined;
}

export type LinesAgain = ReturnType<typeof useLinesAgain>;

/** The parts of orders, exchanged by the customer alone. Nothing is sent. */
export function useLinesAgain(orders: readonly Order[]) {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [said, say] = useState('');
  const moveFocus = useLateFocus();
  const ordered = sumByPart(orders);
  const parts = useParts(ordered.map(({ productId }) => productId));
  const lines = exchanges.reduce(exchangeLine, ordered);
  const own = useOwnPrice(lines.map(({ productId }) => ({ _id: productId })));
  return {
    parts,
    lines: lines.map((line): LineNow => {
      const part = line.standsFor[0]?.other.product ?? parts.data?.get(line.productId);
      return { ...line, part: part && own(part) };
    }),
    /** The last exchange, for assistive technology. */
    said,
    take: (exchange: Exchange) => {
      setExchanges([...exchanges, exchange]);
      say(`${exchange.other.product.number} instead of ${exchange.from.number}.`);
      moveFocus(lineId(exchange.other.product._id));
    },
    /** Takes back all exchanges of the part. */
    undo: (exchange: Exchange) => {
      setExchanges(exchanges.filter(({ from }) => from.productId !== exchange.from.productId));
      say(`${exchange.from.number} as ordered.`);
      moveFocus(lineId(exchange.from.productId));
    },
  };
}

export const lineId = (productId: string): string => `again-${productId}`;

export function describeExchange({ from, pieces, left }: Exchange, { quantity }: Line): string {
  const isPart = left > 0 || pieces < quantity;
  return `Instead of ${isPart ? `${formatPieces(pieces)} of ` : ''}${from.number}.`;
}

function sumByPart(orders: readonly Order[]): Line[] {
  const byPart = Map.groupBy(orders, ({ productId }) => productId);
  return [...byPart].map(([productId, same]) => ({
    productId,
    number: same[0]?.partNumber ?? '',
    name: same[0]?.productName ?? '',
    quantity: same.reduce((sum, { quantity }) => sum + quantity, 0),
    thenCents: same.reduce((sum, { totalPrice }) => sum + toCents(totalPrice), 0),
    standsFor: [],
  }));
}

/** The other part has the ordered part's price for its pieces, and joins its own line. */
function exchangeLine(lines: readonly Line[], exchange: Exchange): readonly Line[] {
  const { from, pieces, left, other } = exchange;
  const { _id, number, name } = other.product;
  const former = lines.find(({ productId }) => productId === from.productId);
  if (!former) return lines;
  const known = lines.find(({ productId }) => productId === _id);
  const cents = Math.round((former.thenCents * pieces) / former.quantity);
  const standIn: Line = {
    productId: _id,
    number,
    name,
    quantity: (known?.quantity ?? 0) + pieces,
    thenCents: (known?.thenCents ?? 0) + cents,
    standsFor: [...(known?.standsFor ?? []), exchange],
  };
  const rest = left > 0 ? [{ ...former, quantity: left, thenCents: former.thenCents - cents }] : [];
  return lines.flatMap((line) => {
    if (line === former) return [...rest, standIn];
    return line === known ? [] : [line];
  });
}

/** Reads the parts by their ids. A part that is no longer sold is null. */
function useParts(ids: readonly string[]) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['products', 'again', ids],
    queryFn: async () => {
      const parts = ids.map(async (id) => {
        const part = await queries.fetchQuery(productQueryOptions(id)).catch((error) => {
          if (getProblemCode(error) === 'not-found') return null;
          throw error;
        });
        return [id, part] as const;
      });
      return new Map(await Promise.all(parts));
    },
    enabled: ids.length <= MAX_BATCH_LINES,
  });
}
