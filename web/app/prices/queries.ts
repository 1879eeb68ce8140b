import type { Given } from '@parts-forge/contract/calls/call';
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
  withdrawQuote,
} from '@parts-forge/contract/prices/quotes';
import { listProducts } from '@parts-forge/contract/products/products';
import { queryOptions } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';
import { useChange } from '#app/calls/use-change.ts';
import { useIdempotencyKey } from '#app/calls/use-idempotency-key.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { ShopProblem } from '#app/http/errors.ts';
import { toast } from '#app/ui/toast.tsx';

type QuoteFilter = { state?: QuoteState; q?: string };
type AgreedFilter = { ending?: 'true'; q?: string };

/** Customers get their own, administrators everybody's. */
export const quotesQueryOptions = (filter: QuoteFilter) =>
  listQueryOptions(['quotes', filter], (page, signal) =>
    callList(listQuotes, { query: { ...page, ...filter }, signal }),
  );

/** As `quotesQueryOptions`; without ended ones. */
export const agreedPricesQueryOptions = (filter: AgreedFilter) =>
  listQueryOptions(['agreed-prices', filter], (page, signal) =>
    callList(listAgreedPrices, { query: { ...page, ...filter }, signal }),
  );

/** As in the response: `57`, or `1000+` beyond the counted range. */
export const quoteCountQueryOptions = (filter: QuoteFilter) =>
  queryOptions({
    queryKey: ['quotes', 'count', filter],
    queryFn: async ({ signal }) =>
      (await callList(listQuotes, { query: { ...filter, limit: '1' }, signal })).total,
  });

/** As `quoteCountQueryOptions`. */
export const agreedCountQueryOptions = (filter: AgreedFilter) =>
  queryOptions({
    queryKey: ['agreed-prices', 'count', filter],
    queryFn: async ({ signal }) =>
      (await callList(listAgreedPrices, { query: { ...filter, limit: '1' }, signal })).total,
  });

/** A retry after a lost answer asks once. */
export function useSendQuote() {
  const keys = useIdempotencyKey();
  return useChange(
    (body: Given<NonNullable<typeof askForPrices.body>>) =>
      callShop(askForPrices, { body, headers: keys.getHeaders(body) }),
    ['quotes'],
  );
}

export const useWithdrawQuote = () =>
  useChange((id: string) => callShop(withdrawQuote, { params: { id } }), ['quotes']);

/** The form of an ended request disappears with its row, so the refusal stands elsewhere. */
const tellEnd = (error: unknown) => {
  if (error instanceof ShopProblem && error.code === 'quote-ended') toast('error', describeError(error));
  throw error;
};

export const useAnswerQuote = (id: string) =>
  useChange(
    (body: Given<NonNullable<typeof answerQuote.body>>) =>
      callShop(answerQuote, { params: { id }, body }).catch(tellEnd),
    ['quotes'],
    ['agreed-prices'],
  );

export const useDeclineQuote = (id: string) =>
  useChange(
    (note: string) => callShop(declineQuote, { params: { id }, body: { note } }).catch(tellEnd),
    ['quotes'],
  );

type NewPrice = Given<NonNullable<typeof setAgreedPrice.body>>;

/** @param number of the part */
export const useSetPrice = () =>
  useChange(
    async ({ number, ...price }: Omit<NewPrice, 'productId'> & { number: string }) => {
      const { rows } = await callList(listProducts, { query: { q: number } });
      const part = rows.find((one) => one.number === number.trim().toUpperCase());
      if (!part) throw refuseField('number', 'No part has this number');
      return callShop(setAgreedPrice, { body: { ...price, productId: part._id } });
    },
    ['agreed-prices'],
  );

const refuseField = (path: string, message: string) =>
  new ShopProblem(422, { errors: [{ path, message }] }, new Headers());

export const useRemovePrice = () =>
  useChange((id: string) => callShop(removeAgreedPrice, { params: { id } }), ['agreed-prices'], ['quotes']);
