import { Banner } from '#app/ui/banner.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';

/** The page shows the list's prices, which the customer may take for their own. */
export const renderUnreadPrices = (onRetry: () => void) => (
  <div className="wrap pt-4">
    <Banner
      kind="error"
      after={
        <button
          type="button"
          className="pf-link pf-fix"
          onClick={() => {
            // The pressed button goes.
            focusHeading();
            onRetry();
          }}
        >
          Try again
        </button>
      }
    >
      Your prices could not be read. The list’s prices are shown.
    </Banner>
  </div>
);
