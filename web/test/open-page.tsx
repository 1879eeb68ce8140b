import type { RouteConfigEntry } from '@react-router/dev/routes';
import { cleanup, render } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { ComponentType } from 'react';
import {
  createRoutesStub,
  type LoaderFunctionArgs,
  Outlet,
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

/** Leaves the page that is open, if any. */
export const closePage = cleanup;

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
 *   sign in with Google; `contactEmail`: where the seller can be written to
 */
export async function openPage(
  address: string,
  {
    selfService = true,
    google = false,
    contactEmail = null,
  }: { selfService?: boolean; google?: boolean; contactEmail?: string | null } = {},
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
  context.set(serverContext, { call: (path) => fetch(path), origin: null });
  // As the first load is; what is loaded by pressing links afterwards counts as one here, too.
  context.set(documentContext, true);

  let current = address;
  const Root = () => {
    const { pathname, search } = useLocation();
    current = pathname + search;
    return <root.Shell>{<Outlet />}</root.Shell>;
  };
  const children = await Promise.all(routes.map(createRoute));
  // What the root's loader answers on the server, in every page that it sends.
  const pictureWidths = [160, 320, 640, 1280];
  const rootData = { origin: null, selfService, google, pictureWidths, contactEmail, mail: false };
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

async function createRoute({ file, path, index, children }: RouteConfigEntry): Promise<StubRoute> {
  const load = pageModules[`../app/${file}`];
  if (!load) throw new Error(`routes.ts names ${file}, which is no page`);
  const page = await load();
  return {
    path,
    Component: page.default,
    // The server sends a page with its data; here that comes a moment later.
    HydrateFallback: page.HydrateFallback ?? (page.loader && (() => null)),
    handle: page.handle,
    middleware: page.clientMiddleware,
    loader: createLoader(page),
    ...(index ? { index } : { children: await Promise.all((children ?? []).map(createRoute)) }),
  } as StubRoute;
}

/** In the browser a page is asked first, and the server through it. */
function createLoader({ loader, clientLoader }: PageModule) {
  if (!loader && !clientLoader) return undefined;
  return async (args: LoaderFunctionArgs) => {
    const serverLoader = async () => loader?.(args);
    return clientLoader ? clientLoader({ ...args, serverLoader }) : serverLoader();
  };
}
