import type { PageConfig, PageShop } from '@parts-forge/contract/people/identity';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { cleanup, render } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { ComponentType, ReactElement } from 'react';
import {
  createRoutesStub,
  type LoaderFunctionArgs,
  matchRoutes,
  Outlet,
  type RouteObject,
  RouterContextProvider,
  useLocation,
} from 'react-router';
import { vi } from 'vitest';
import { aShop } from '#test/builders.ts';

type StubRoute = Parameters<typeof createRoutesStub>[0][number];
type Loader = (args: object) => unknown;

/** The used exports of a page's module. */
interface PageModule {
  default: (props: object) => ReactElement | null;
  HydrateFallback?: ComponentType;
  handle?: unknown;
  loader?: Loader;
  clientLoader?: Loader;
  clientMiddleware?: NonNullable<StubRoute['middleware']>;
}

/** The context of the open page. */
let openContext: RouterContextProvider | undefined;

/** Unmounts the page and drops its pending requests. */
export function closePage(): void {
  openContext = undefined;
  cleanup();
}

export interface OpenPage {
  user: UserEvent;
  /** Path and query. */
  getAddress: () => string;
}

const pageModules = import.meta.glob<PageModule>(['../app/**/*.tsx', '!**/*.test.tsx']);

/**
 * Opens an address like a browser: reloads all modules and uses the real routes with guards and loaders.
 * Server content renders here, too.
 * @param options the root loader's data. `selfService`: the shop manages passwords itself; `google`: sign-in
 *   with Google; `contactEmail`: the seller's email address; `wishes`: parts can be waited for; `taxPercent`: in every price; `seller`: the seller; `shop`: name and look
 */
export async function openPage(
  address: string,
  {
    selfService = true,
    google = false,
    contactEmail = null,
    wishes = true,
    taxPercent,
    seller = null,
    shop = aShop({ name: 'Parts Forge' }),
  }: {
    selfService?: boolean;
    google?: boolean;
    contactEmail?: string | null;
    wishes?: boolean;
    taxPercent?: number;
    seller?: NonNullable<PageConfig['seller']> | null;
    shop?: PageShop;
  } = {},
): Promise<OpenPage> {
  closePage();
  vi.resetModules();
  const [{ default: routes }, { documentContext, serverContext }, { queryClient }, root] = await Promise.all([
    import('#app/routes.ts'),
    import('#app/server-context.ts'),
    import('#app/calls/query-client.ts'),
    loadRoot(),
  ]);
  // Retries at once.
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } });
  const context = new RouterContextProvider();
  openContext = context;
  // After its test, a page would send requests to the next test's shop.
  const call = (path: string) => (openContext === context ? fetch(path) : new Promise<Response>(() => {}));
  context.set(serverContext, { call, origin: null });
  // As for a first load; later navigations count as one, too.
  context.set(documentContext, true);

  let current = address;
  const Root = () => {
    const { pathname, search } = useLocation();
    current = pathname + search;
    return <root.Shell>{<Outlet />}</root.Shell>;
  };
  const shown = new Set<object>(matchRoutes(routes as RouteObject[], address)?.map(({ route }) => route));
  const children = await Promise.all(routes.map((entry) => createRoute(entry, shown)));
  // The root loader's data.
  const pictureWidths = [160, 320, 640, 1280];
  const rootData = {
    origin: null,
    selfService,
    google,
    pictureWidths,
    contactEmail,
    mail: false,
    wishes,
    taxPercent,
    seller,
    shop,
  };
  const Stub = createRoutesStub(
    [
      {
        id: 'root',
        path: '/',
        loader: () => rootData,
        Component: Root,
        ErrorBoundary: root.ErrorBoundary,
        children,
      },
    ],
    context,
  );
  render(<Stub initialEntries={[address]} hydrationData={{ loaderData: { root: rootData } }} />);
  return { user: userEvent.setup({ delay: null }), getAddress: () => current };
}

async function loadRoot() {
  const [{ Shell }, { ErrorPage }] = await Promise.all([
    import('#app/layout/shell.tsx'),
    import('#app/layout/error-page.tsx'),
  ]);
  const ErrorBoundary = ({ error }: { error: unknown }) => (
    <Shell>
      <ErrorPage error={error} />
    </Shell>
  );
  return { Shell, ErrorBoundary };
}

/** @param shown the routes of the address; other pages load on navigation, as in a browser */
async function createRoute(entry: RouteConfigEntry, shown: ReadonlySet<object>): Promise<StubRoute> {
  const { file, path, index, children } = entry;
  const load = pageModules[`../app/${file}`];
  if (!load) throw new Error(`routes.ts names ${file}, which is no page`);
  const page = shown.has(entry) || children ? await load() : postpone(load);
  return {
    path,
    Component: page.default,
    // The server sends a page with its data; here the data comes a moment later.
    HydrateFallback: page.HydrateFallback ?? (page.loader && (() => null)),
    handle: page.handle,
    middleware: page.clientMiddleware,
    loader: createLoader(page),
    ...(index
      ? { index }
      : { children: await Promise.all((children ?? []).map((child) => createRoute(child, shown))) }),
  } as StubRoute;
}

/** Loads the page's module on navigation: all pages would take most of a test's time. */
function postpone(load: () => Promise<PageModule>): PageModule {
  const handle = {};
  let page: PageModule | undefined;
  const loadOnce = async () => {
    page ??= await load();
    return Object.assign(page, { handle: Object.assign(handle, page.handle) });
  };
  return {
    handle,
    default: (props) => (page ? <page.default {...props} /> : null),
    clientMiddleware: [
      async (args, next) => {
        for (const guard of (await loadOnce()).clientMiddleware ?? []) await guard(args, next);
      },
    ],
    clientLoader: async (args) => {
      const loader = createLoader(await loadOnce());
      return loader ? loader(args as LoaderFunctionArgs) : null;
    },
  };
}

/** As in a browser: the client loader first, which may call the server's. */
function createLoader({ loader, clientLoader }: PageModule) {
  if (!loader && !clientLoader) return undefined;
  return async (args: LoaderFunctionArgs) => {
    const serverLoader = async () => loader?.(args);
    return clientLoader ? clientLoader({ ...args, serverLoader }) : serverLoader();
  };
}
