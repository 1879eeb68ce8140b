import { useRouteLoaderData } from 'react-router';

/**
 * Whether the shop itself handles passwords, sessions and second factors. The server renders it into every
 * page (`GET /config`).
 */
export function useSelfService(): boolean {
  return useRouteLoaderData<{ selfService: boolean }>('root')?.selfService ?? false;
}
