import { useLocation, useNavigation } from 'react-router';
import { useSkeleton } from '#app/ui/use-skeleton.ts';

/** Shows that a press works while the next page loads. */
export function NavigationProgress() {
  const { location } = useNavigation();
  const { pathname } = useLocation();
  const pending = useSkeleton(location !== undefined && location.pathname !== pathname);
  return (
    <div role="status" className="absolute inset-x-0 -bottom-px h-0.5">
      {pending && (
        <>
          <span className="sr-only">Loading the page…</span>
          <span className="pf-pending absolute inset-0" />
        </>
      )}
    </div>
  );
}
