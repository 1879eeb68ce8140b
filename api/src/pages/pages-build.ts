import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const buildFolder = join(import.meta.dirname, '../../../web/build');

/** `/purchase/:id` and its route. */
export interface PageAddress {
  path: string;
  route: string;
}

/** Loaders use `call` for contract calls. */
export type RenderPage = (
  request: Request,
  context: { call: (path: string) => Promise<Response>; origin: string | null },
) => Promise<Response>;

export interface Pages {
  render: RenderPage;
  /** Query parameters that a route renders. */
  listQueryNames: (route: string) => readonly string[];
}

/** Empty without a build. */
export function readAddresses(): PageAddress[] {
  const path = join(buildFolder, 'addresses.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PageAddress[]) : [];
}

/** Called at the first page request, because React and the router load too. */
export async function loadPages(): Promise<Pages> {
  return readBuild(await import(pathToFileURL(join(buildFolder, 'server/index.js')).href), 'production');
}

export interface PagesBuild {
  routes: Record<string, { module: { handle?: { query?: readonly string[] } } } | undefined>;
  entry: { module: { createPages: (build: unknown, mode: string) => RenderPage } };
}

export function readBuild(build: PagesBuild, mode: 'production' | 'development'): Pages {
  return {
    render: build.entry.module.createPages(build, mode),
    listQueryNames: (route) => build.routes[route]?.module.handle?.query ?? [],
  };
}
