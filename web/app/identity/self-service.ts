import { useRouteLoaderData } from 'react-router';

/**
 * Whether passwords, sessions and second factors are looked after here; a hosted identity service has its own ways
 * (`GET /config`). Known from the first moment: the server renders it into every page.
 */
export function useSelfService(): boolean {
  return useRouteLoaderData<{ selfService: boolean }>('root')?.selfService ?? false;
}
