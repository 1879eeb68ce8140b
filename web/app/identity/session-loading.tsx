import { Button } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/shop.tsx';

/** Shown until the session is known (specification §2, "Guarded routes"). */
export function SessionLoading() {
  return (
    <div className="wrap grid min-h-[calc(100svh-4rem)] place-items-center py-24">
      <PageTitle title="Signing you in" />
      <div className="text-center" role="status">
        <h1 className="sr-only">Signing in</h1>
        <Button kind="line" busy tabIndex={-1}>
          loading
        </Button>
        <p className="mt-4 text-sm text-muted noscript:hidden">Checking your sign-in</p>
        <p className="mt-4 hidden noscript:block">This page needs JavaScript.</p>
      </div>
    </div>
  );
}
