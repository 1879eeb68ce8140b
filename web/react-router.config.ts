import { writeFile } from 'node:fs/promises';
import type { Config } from '@react-router/dev/config';
import { compressFolder } from './compress-folder.ts';

export default {
  ssr: true,
  // All routes are few; knowing them from the first page saves a request before every navigation.
  routeDiscovery: { mode: 'initial' },
  // 'enforce' in builds only: it breaks the development server.
  splitRouteModules: process.argv.includes('build') ? 'enforce' : false,
  async buildEnd({ reactRouterConfig: { buildDirectory, routes } }) {
    await writeFile(`${buildDirectory}/addresses.json`, JSON.stringify(listAddresses(routes)));
    await compressFolder(`${buildDirectory}/client`);
  },
} satisfies Config;

type Routes = Record<string, { id: string; path?: string; index?: boolean; parentId?: string }>;

/** Every address and the route that shows it, for the server, which need not load the pages to know them. */
function listAddresses(routes: Routes): { path: string; route: string }[] {
  const parents = new Set(Object.values(routes).map(({ parentId }) => parentId));
  const listSegments = (id: string | undefined): string[] => {
    const route = id === undefined ? undefined : routes[id];
    return route ? [...listSegments(route.parentId), ...(route.path ? [route.path] : [])] : [];
  };
  return Object.values(routes)
    .filter(({ id, path }) => path !== '*' && !parents.has(id))
    .map(({ id }) => ({ path: `/${listSegments(id).join('/')}`, route: id }));
}
