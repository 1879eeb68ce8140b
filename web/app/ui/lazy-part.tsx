import { type FunctionComponent, lazy, Suspense } from 'react';

/**
 * A part of a page that few visits need, in a chunk of its own. Nothing until it is there, or if it cannot be
 * loaded: a page without it is better than an error page.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: FunctionComponent<Props> }>) {
  const Loaded = lazy<FunctionComponent<Props>>(() => load().catch(() => ({ default: () => null })));
  return (props: Props) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
