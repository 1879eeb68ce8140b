import { writeFile } from 'node:fs/promises';
import type { Config } from '@react-router/dev/config';
import { compressFolder } from './compress-folder.ts';

export default {
  ssr: true,
  // Sending the few routes saves a request before each navigation.
  routeDiscovery: { mode: 'initial' },
  // Builds only: 'enforce' breaks the development server.
  splitRouteModules: process.argv.includes('build') ? 'enforce' : false,
  async buildEnd({ reactRouterConfig: { buildDirectory, routes } }) {
    await writeFile(`${buildDirectory}/addresses.json`, JSON.stringify(listAddresses(routes)));
    await compressFolder(`${buildDirectory}/client`);
  },
} satisfies Config;

type Routes = Record<string, { id: string; path?: string; index?: boolean; parentId?: string }>;

/** So that the server need not load the pages. */
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
