import { titles } from '@parts-forge/contract/calls/problem-type';
import { TriangleAlert } from 'lucide';
import { isRouteErrorResponse, Link } from 'react-router';
import { describeError, getRequestId, getRetryAfterSeconds } from '#app/errors/describe-error.ts';
import { OfflineError, ShopProblem } from '#app/http/errors.ts';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { PageTitle } from '#app/ui/shop.tsx';
import { useCountdown } from '#app/ui/use-countdown.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** A 404 becomes the not-found page. */
export function ErrorPage({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  return <FailurePage error={error} />;
}

function FailurePage({ error }: { error: unknown }) {
  const requestId = getRequestId(error);
  const { heading, sentence } = explainError(error);
  const secondsLeft = useCountdown(getRetryAfterSeconds(error), error);
  return (
    <div className="wrap grid min-h-[60dvh] content-center py-24">
      <PageTitle title="Something went wrong" />
      <div className="max-w-xl" role="alert">
        <span className="grid size-14 place-items-center rounded-full border border-base-300 text-error">
          <Icon of={TriangleAlert} className="size-6" />
        </span>
        <h1 className="display mt-6 text-h1">{heading}</h1>
        <p className="mt-4 text-pretty text-lead text-muted">
          {`${sentence} If you were ordering or paying, look at My Orders before you do it again.`}
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button kind="primary" disabled={secondsLeft > 0} onClick={() => location.reload()}>
            {secondsLeft > 0 ? `Try again in ${secondsLeft} s` : 'Try again'}
          </Button>
          <Link to="/" className={getButtonClasses('line')}>
            Take Me Home
          </Link>
        </div>
        {requestId && (
          <p className="num mt-10 border-t border-base-300 pt-4 text-sm text-muted [overflow-wrap:anywhere]">
            Reference <span className="select-all">{requestId}</span>. Quote it when you write to us.
          </p>
        )}
      </div>
    </div>
  );
}

function explainError(error: unknown): { heading: string; sentence: string } {
  if (error instanceof OfflineError) {
    return { heading: 'The shop cannot be reached', sentence: 'Check the connection and try again.' };
  }
  const sentence = error instanceof ShopProblem ? describeError(error) : 'The page could not be shown.';
  return { heading: titles.internal, sentence };
}
