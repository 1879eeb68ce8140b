import type { Given } from '@parts-forge/contract/calls/call';
import { noteAgreedPrice } from '@parts-forge/contract/money/pricing';
import {
  listAgreedPrices,
  removeAgreedPrice,
  setAgreedPrice,
} from '@parts-forge/contract/prices/agreed-prices';
import type { QuoteState } from '@parts-forge/contract/prices/quote-states';
import {
  answerQuote,
  askForPrices,
  declineQuote,
  listQuotes,
  type Quote,
  withdrawQuote,
} from '@parts-forge/contract/prices/quotes';
import { listProducts } from '@parts-forge/contract/products/products';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';
import { useChange } from '#app/calls/use-change.ts';
import { useIdempotencyKey } from '#app/calls/use-idempotency-key.ts';

type QuoteFilter = { state?: QuoteState; q?: string };
type AgreedFilter = { ending?: 'true'; q?: string };

/** A change of any of them invalidates all. */
const key = ['prices'] as const;

/** Customers get their own, administrators everybody's. */
export const quotesQueryOptions = (filter: QuoteFilter) =>
  listQueryOptions([...key, 'quotes', filter], (page, signal) =>
    callList(listQuotes, { query: { ...page, ...filter }, signal }),
  );

/** Without ended prices; customers get their own, administrators everybody's. */
export const agreedPricesQueryOptions = (filter: AgreedFilter) =>
  listQueryOptions([...key, 'agreed', filter], (page, signal) =>
    callList(listAgreedPrices, { query: { ...page, ...filter }, signal }),
  );

/**
 * Requests without an answer: `3`, or `1000+` beyond the counted range.
 * @param page each page counts again, as customers ask meanwhile
 */
export const askedCountQueryOptions = (page: string) =>
  queryOptions({
    queryKey: [...key, 'asked', page],
    queryFn: async ({ signal }) =>
      (await callList(listQuotes, { query: { state: 'asked', limit: '1' }, signal })).total,
    placeholderData: keepPreviousData,
  });

/** The rows of each tab in their order, as in the response: `57`, or `1000+` beyond the counted range. */
export const priceCountsQueryOptions = (search: { q?: string }) =>
  queryOptions({
    queryKey: [...key, 'counts', search],
    queryFn: async ({ signal }) => {
      const query = { ...search, limit: '1' };
      const lists = await Promise.all([
        callList(listQuotes, { query: { ...query, state: 'asked' }, signal }),
        callList(listQuotes, { query: { ...query, state: 'answered' }, signal }),
        callList(listAgreedPrices, { query, signal }),
        callList(listAgreedPrices, { query: { ...query, ending: 'true' }, signal }),
      ]);
      return lists.map(({ total }) => total);
    },
  });

/** A retry after a lost answer asks once. */
export function useSendQuote() {
  const keys = useIdempotencyKey();
  return useChange(
    (body: Given<NonNullable<typeof askForPrices.body>>) =>
      callShop(askForPrices, { body, headers: keys.getHeaders(body) }),
    key,
  );
}

export const useWithdrawQuote = () =>
  useChange((id: string) => callShop(withdrawQuote, { params: { id } }), key);

interface Answer {
  quote: Quote;
  body: Given<NonNullable<typeof answerQuote.body>>;
}

export const useAnswerQuote = () =>
  useChange(({ quote, body }: Answer) => callShop(answerQuote, { params: { id: quote._id }, body }), key);

export const useDeclineQuote = (id: string) =>
  useChange((note: string) => callShop(declineQuote, { params: { id }, body: { note } }), key);

type NewPrice = Given<NonNullable<typeof setAgreedPrice.body>>;

export interface TypedPrice extends Omit<NewPrice, 'productId'> {
  /** The number of the part, for which the call wants its id. */
  number: string;
  /** The user knows that it is below half of the list's. */
  isSure?: boolean;
}

/**
 * With all refusals at once, as the call has refusals of its own: without a part, it names `productId`, too.
 * Returns a part of which nothing was set yet, as the price is below half of its list's.
 */
export const useSetPrice = () =>
  useChange(async ({ number, isSure, ...price }: TypedPrice) => {
    const { rows } = number.trim() ? await callList(listProducts, { query: { number } }) : { rows: [] };
    const [part] = rows;
    if (part && !isSure && noteAgreedPrice(price.price, price.fromQuantity, part) === 'half') return part;
    await callShop(setAgreedPrice, { body: { ...price, productId: part?._id ?? '' } });
    return null;
  }, key);

export const useRemovePrice = () =>
  useChange((id: string) => callShop(removeAgreedPrice, { params: { id } }), key);
