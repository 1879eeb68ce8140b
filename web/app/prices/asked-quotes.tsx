import { formatCount } from '@parts-forge/contract/money/money';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { FormError } from '#app/forms/form-error.tsx';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { formatRecent } from '#app/ui/format-moment.ts';
import { quotesQueryOptions, useWithdrawQuote } from './queries.ts';

/** The customer's requests that wait for an answer. */
export function AskedQuotes() {
  const { data } = useInfiniteQuery({
    ...quotesQueryOptions({ state: 'asked' }),
    // As the lines of the batch, which then have the answered prices.
    refetchOnWindowFocus: 'always',
  });
  const { refusal, renderButton } = useWithdraw();
  return (
    <>
      {refusal}
      {data?.pages
        .flatMap(({ rows }) => rows)
        .map((quote) => (
          <Banner
            key={quote._id}
            kind="info"
            className="num mb-3 items-center bg-base-100 py-2 [&>div]:flex [&>div]:flex-wrap [&>div]:items-center [&>div]:gap-x-4"
            after={renderButton(quote)}
          >
            Asked {formatRecent(quote.askedAt)}: {formatCount(quote.lines.length, 'price')}.
          </Banner>
        ))}
    </>
  );
}

/** For a list of requests. The refusal stands above it, as its request may be gone. */
export function useWithdraw() {
  const withdraw = useWithdrawQuote();
  return {
    refusal: <FormError error={withdraw.error} className="mb-3" />,
    renderButton: ({ _id, number }: Quote) => (
      <Button
        kind="line"
        size="row"
        busy={withdraw.isPending && withdraw.variables === _id}
        busyLabel="Withdrawing…"
        disabled={withdraw.isPending && withdraw.variables !== _id}
        aria-label={`Withdraw Q-${number}`}
        // The button disappears, so the heading gets the focus.
        onClick={() => withdraw.mutate(_id, { onSuccess: focusHeading })}
      >
        Withdraw
      </Button>
    ),
  };
}
