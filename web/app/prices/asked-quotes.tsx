import { formatCount } from '@parts-forge/contract/money/money';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { describeError } from '#app/errors/describe-error.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { formatRecent } from '#app/ui/format-moment.ts';
import { toast } from '#app/ui/toast.tsx';
import { quotesQueryOptions, useWithdrawQuote } from './queries.ts';

/** The customer's requests that wait for an answer. */
export function AskedQuotes() {
  const { data } = useInfiniteQuery(quotesQueryOptions({ state: 'asked' }));
  return (
    <>
      {data?.pages
        .flatMap(({ rows }) => rows)
        .map((quote) => (
          <Banner
            key={quote._id}
            kind="info"
            className="num mb-3 bg-base-100"
            after={<WithdrawButton quote={quote} />}
          >
            Asked {formatRecent(quote.askedAt)}: {formatCount(quote.lines.length, 'price')}.
          </Banner>
        ))}
    </>
  );
}

export function WithdrawButton({ quote: { _id, number } }: { quote: Quote }) {
  const withdraw = useWithdrawQuote();
  const press = () =>
    withdraw.mutate(_id, {
      // The button disappears, so the heading gets the focus.
      onSuccess: focusHeading,
      onError: (error) => toast('error', describeError(error)),
    });
  return (
    <Button
      kind="line"
      size="row"
      busy={withdraw.isPending}
      busyLabel="Withdrawing…"
      aria-label={`Withdraw Q-${number}`}
      onClick={press}
    >
      Withdraw
    </Button>
  );
}
