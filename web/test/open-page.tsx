import type { PageConfig } from '@parts-forge/contract/identity';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { cleanup, render } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { ComponentType } from 'react';
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

type StubRoute = Parameters<typeof createRoutesStub>[0][number];
type Loader = (args: object) => unknown;

/** What a file in app/pages exports, as far as a router without a server needs it. */
interface PageModule {
  default: ComponentType<object>;
  HydrateFallback?: ComponentType;
  handle?: unknown;
  loader?: Loader;
  clientLoader?: Loader;
  clientMiddleware?: NonNullable<StubRoute['middleware']>;
}

/** The context of the page that is open. */
let openContext: RouterContextProvider | undefined;

/** Leaves the page that is open, if any. What it had still wanted to ask the server is asked no more. */
export function closePage(): void {
  openContext = undefined;
  cleanup();
}

export interface OpenPage {
  user: UserEvent;
  /** Path and query of the address, as it is now. */
  getAddress: () => string;
}

const pageModules = import.meta.glob<PageModule>('../app/pages/*.tsx');

/**
 * Opens an address of the shop as a browser does: with all modules loaded anew, so that nothing is left of the page
 * before, through the real routes with their guards and loaders. What the server would render is rendered here.
 * @param options what the root's loader says. `selfService`: the shop looks after passwords itself; `google`: people can
 *   sign in with Google; `contactEmail`: where the seller can be written to; `seller`: who sells
 */
export async function openPage(
  address: string,
  {
    selfService = true,
    google = false,
    contactEmail = null,
    seller = null,
  }: {
    selfService?: boolean;
    google?: boolean;
    contactEmail?: string | null;
    seller?: NonNullable<PageConfig['seller']> | null;
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
  // What did not arrive is asked for again at once instead of after seconds.
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } });
  const context = new RouterContextProvider();
  openContext = context;
  // A page that comes after its test is over would ask the shop of the next test.
  const call = (path: string) => (openContext === context ? fetch(path) : new Promise<Response>(() => {}));
  context.set(serverContext, { call, origin: null });
  // As the first load is; what is loaded by pressing links afterwards counts as one here, too.
  context.set(documentContext, true);

  let current = address;
  const Root = () => {
    const { pathname, search } = useLocation();
    current = pathname + search;
    return <root.Shell>{<Outlet />}</root.Shell>;
  };
  const shown = new Set<object>(matchRoutes(routes as RouteObject[], address)?.map(({ route }) => route));
  const children = await Promise.all(routes.map((entry) => createRoute(entry, shown)));
  // What the root's loader answers on the server, in every page that it sends.
  const pictureWidths = [160, 320, 640, 1280];
  const rootData = { origin: null, selfService, google, pictureWidths, contactEmail, mail: false, seller };
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

/** @param shown the routes that the address opens; the pages of the others come when a link leads there, as in a browser */
async function createRoute(entry: RouteConfigEntry, shown: ReadonlySet<object>): Promise<StubRoute> {
  const { file, path, index, children } = entry;
  const load = pageModules[`../app/${file}`];
  if (!load) throw new Error(`routes.ts names ${file}, which is no page`);
  const page = shown.has(entry) || children ? await load() : postpone(load);
  return {
    path,
    Component: page.default,
    // The server sends a page with its data; here that comes a moment later.
    HydrateFallback: page.HydrateFallback ?? (page.loader && (() => null)),
    handle: page.handle,
    middleware: page.clientMiddleware,
    loader: createLoader(page),
    ...(index
      ? { index }
      : { children: await Promise.all((children ?? []).map((child) => createRoute(child, shown))) }),
  } as StubRoute;
}

/** A page whose module is loaded when somebody goes there: all pages for each test would take most of its time. */
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

/** In the browser a page is asked first, and the server through it. */
function createLoader({ loader, clientLoader }: PageModule) {
  if (!loader && !clientLoader) return undefined;
  return async (args: LoaderFunctionArgs) => {
    const serverLoader = async () => loader?.(args);
    return clientLoader ? clientLoader({ ...args, serverLoader }) : serverLoader();
  };
}
