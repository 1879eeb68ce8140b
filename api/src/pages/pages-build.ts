import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where the pages' build puts its results. */
export const buildFolder = join(import.meta.dirname, '../../../web/build');

/** One address of the shop, as the build lists it: `/purchase/:id` and the route that shows it. */
export interface PageAddress {
  path: string;
  route: string;
}

/** Renders one page or its data; `call` makes a call of the contract for its loaders. */
export type RenderPage = (
  request: Request,
  context: { call: (path: string) => Promise<Response>; origin: string | null },
) => Promise<Response>;

/** What the server needs of the pages' build. */
export interface Pages {
  render: RenderPage;
  /** Query parameters that change what the server renders, by route. */
  listQueryNames: (route: string) => readonly string[];
}

/** All addresses, without loading the pages; empty when there is no build. */
export function readAddresses(): PageAddress[] {
  const path = join(buildFolder, 'addresses.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PageAddress[]) : [];
}

/** Loads the pages. React and the router come with them, so this waits until the first one is asked for. */
export async function loadPages(): Promise<Pages> {
  return readBuild(await import(pathToFileURL(join(buildFolder, 'server/index.js')).href), 'production');
}

/** What a build of the pages exports, as far as it is used here. */
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
