import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Output of the pages' build. */
export const buildFolder = join(import.meta.dirname, '../../../web/build');

/** An address from the build: `/purchase/:id` and its route. */
export interface PageAddress {
  path: string;
  route: string;
}

/** Renders a page or its data; loaders use `call` for contract calls. */
export type RenderPage = (
  request: Request,
  context: { call: (path: string) => Promise<Response>; origin: string | null },
) => Promise<Response>;

/** The server's view of the pages' build. */
export interface Pages {
  render: RenderPage;
  /** Query parameters that change what the server renders, by route. */
  listQueryNames: (route: string) => readonly string[];
}

/** Reads all addresses without loading the pages; empty without a build. */
export function readAddresses(): PageAddress[] {
  const path = join(buildFolder, 'addresses.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PageAddress[]) : [];
}

/** Loads the pages with React and the router, so this waits for the first page request. */
export async function loadPages(): Promise<Pages> {
  return readBuild(await import(pathToFileURL(join(buildFolder, 'server/index.js')).href), 'production');
}

/** The used part of a build's exports. */
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
