import type { Quote } from '@parts-forge/contract/prices/quotes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import { useOwnPrice } from '#app/users/own-prices.ts';
import { AgreedPrices } from './agreed-prices.tsx';
import { useWithdraw } from './asked-quotes.tsx';
import { quotesQueryOptions } from './queries.ts';
import { QuotesTable } from './quotes-table.tsx';

/** The customer's agreed prices, then what was asked. */
export default function MyPrices() {
  const list = useInfiniteQuery(quotesQueryOptions({}));
  const asked = list.data?.pages.flatMap(({ rows }) => rows.flatMap(({ lines }) => lines)) ?? [];
  const { refusal, renderButton } = useWithdraw();
  const price = useOwnPrice(asked.map(({ product }) => product));
  /** At list prices, without the tax that the customer does not owe. */
  const toPaid = (quote: Quote): Quote => ({
    ...quote,
    lines: quote.lines.map((line) => {
      const { untaxedRate } = price(line.product);
      return { ...line, product: { ...line.product, ...(untaxedRate && { untaxedRate }) } };
    }),
  });
  return (
    <>
      <PageHeading title="My prices" />
      <AgreedPrices
        filter={{}}
        isOwn
        empty="Ask for a price in your batch. Prices that are agreed with you appear here and count by themselves."
      />
      <PagedList list={list} what="Your requests" skeleton={<WorkSkeleton rows={3} />} empty={null}>
        {(quotes) => (
          <section aria-labelledby="asked-heading" className="mt-8">
            <h2 id="asked-heading" className="display mb-4 text-h3">
              Asked
            </h2>
            {refusal}
            <QuotesTable
              caption="Your requests for prices, newest first"
              quotes={quotes.map(toPaid)}
              isOwn
              renderAct={(quote) => quote.state === 'asked' && renderButton(quote)}
            />
          </section>
        )}
      </PagedList>
    </>
  );
}
