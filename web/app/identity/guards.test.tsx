import { listOrders } from '@parts-forge/contract/orders/orders';
import { listUsers, readUser } from '@parts-forge/contract/people/users';
import { listProducts } from '@parts-forge/contract/products/products';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { pagePolicies } from '#app/dashboard/page-policies.ts';
import routes from '#app/routes.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

beforeEach(() => {
  // Content of the pages that redirects lead to.
  shop.answer(listUsers, []);
  shop.answerPage(listProducts, [], '0');
  shop.respond('GET /review', () => Response.json([]));
});

const administratorPages = [
  'overview',
  'manage-orders',
  'pick-list',
  'packing-slips',
  'parcels-csv',
  'manage-users',
  'customers/amara@parts.example',
  'webhooks/x',
  'activity',
  'mail',
  'mail/x',
  'add-product',
  'manage-products',
  'manage-products/x',
  'manage-products/x/stock',
  'catalogue-file',
  'prices',
];
const customerPages = [
  'my-orders',
  'my-reviews',
  'batch',
  'batch/x',
  'own-names',
  'my-prices',
  'payment?orders=x',
  'payment/01a1fe55-4eaf-7194-bacc-000000000000',
];
const everybodysPages = ['my-profile', 'order/x', 'purchase/10001', 'connections'];

test('every dashboard page states its audience', () => {
  const pages = listChildren(routes, 'pages/dashboard.tsx').flatMap(({ path }) => path ?? []);
  const listed = [...administratorPages, ...customerPages, ...everybodysPages];
  expect(Object.keys(pagePolicies).sort()).toEqual(listFirstNames(pages));
  // The tests below try the pages with a restricted audience.
  expect(listFirstNames(listed)).toEqual(listFirstNames(pages));
});

const listFirstNames = (paths: string[]) => [
  ...new Set(paths.map((path) => path.split(/[/?]/)[0] ?? '').sort()),
];

function listChildren(entries: RouteConfigEntry[], file: string): RouteConfigEntry[] {
  return entries.flatMap((entry) =>
    entry.file === file ? (entry.children ?? []) : listChildren(entry.children ?? [], file),
  );
}

test.each(['/dashboard/my-orders', '/dashboard/manage-users?q=a', '/purchase/1'])(
  'a visitor of %s is led to /login, which leads back there',
  async (address) => {
    const page = await openPage(address);
    await waitFor(() => expect(page.getAddress()).toBe(`/login?from=${encodeURIComponent(address)}`));
    expect(screen.queryByText(/Your session has ended/)).not.toBeInTheDocument();
  },
);

test('a loading button appears until the session is known', async () => {
  shop.signIn();
  const release = shop.hold('GET /identity/get-session');
  await openPage('/dashboard/my-profile');
  const button = await screen.findByRole('button', { name: 'loading' });
  expect(button).toHaveAttribute('aria-busy', 'true');
  release();
  expect(await screen.findByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible();
});

test.each(administratorPages)("a user on %s reads 'Need Admin to access the page'", async (child) => {
  shop.signIn('user');
  const page = await openPage(`/dashboard/${child}`);
  await waitFor(() => expect(page.getAddress()).toBe('/'));
  expect(await screen.findByText('Need Admin to access the page')).toBeVisible();
});

test.each(customerPages)('an administrator on %s is led to my-profile', async (child) => {
  shop.signIn('admin');
  const page = await openPage(`/dashboard/${child}`);
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/my-profile'));
});

test.each(['Add-Product', '%61dd-product', 'CATALOGUE-FILE', 'manage-orders/'])(
  'the spelling %s is restricted to administrators too',
  async (child) => {
    shop.signIn('user');
    const page = await openPage(`/dashboard/${child}`);
    await waitFor(() => expect(page.getAddress()).toBe('/'));
  },
);

test('the spelling My-Orders is restricted to customers too', async () => {
  shop.signIn('admin');
  const page = await openPage('/dashboard/My-Orders');
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/my-profile'));
});

test('/dashboard leads to my-profile', async () => {
  shop.signIn();
  const page = await openPage('/dashboard');
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/my-profile'));
});

const userMenu = ['My Profile', 'My Orders', 'Add A Review', 'Batch', 'My prices', 'Own names', 'Keys'];

test('the menu of a user lists the user’s pages', async () => {
  shop.signIn('user');
  await openPage('/dashboard/my-profile');
  expect(await listMenu()).toEqual(userMenu);
});

test('the menu of an administrator lists the administrator’s pages', async () => {
  shop.signIn('admin');
  await openPage('/dashboard/my-profile');
  await screen.findAllByText('Make Admin');
  expect(await listMenu()).toEqual([
    'Overview',
    'My Profile',
    'Manage All Orders',
    'Make Admin',
    'Add Product',
    'Manage Products',
    'Prices',
    'Catalogue by File',
    'Connections',
    'Activity',
  ]);
});

test('the menu is the user’s until the role is known', async () => {
  shop.signIn('admin');
  const release = shop.hold(readUser);
  await openPage('/dashboard/my-profile');
  expect(await listMenu()).toEqual(userMenu);
  release();
  await screen.findAllByText('Make Admin');
});

test('the menu marks the current page, and My Orders while paying', async () => {
  shop.signIn('user');
  shop.refuse('GET /order/:id', 'not-found');
  await openPage('/dashboard/payment/01a1fe55-4eaf-7194-bacc-000000000000');
  const [menu] = await screen.findAllByRole('navigation', { name: 'Dashboard' });
  const current = within(menu as HTMLElement)
    .getAllByRole('link')
    .filter((link) => link.ariaCurrent === 'page' || link.getAttribute('aria-current') === 'page');
  expect(current.map((link) => link.textContent)).toEqual(['My Orders']);
});

/** Entries of the side menu; the drawer of small screens has the same ones. */
async function listMenu(): Promise<(string | null)[]> {
  const menus = await screen.findAllByRole('navigation', { name: 'Dashboard' });
  const [entries, drawerEntries] = menus.map((menu) =>
    within(menu)
      .getAllByRole('link', { hidden: true })
      .map((link) => link.textContent),
  );
  if (drawerEntries) expect(drawerEntries).toEqual(entries);
  return entries ?? [];
}

test('a demoted administrator is led to / at the next administrator call', async () => {
  shop.signIn('admin');
  const page = await openPage('/dashboard/manage-users');
  await screen.findByText('Nobody matches');
  shop.refuse(listUsers, 'admin-needed');
  await page.user.type(screen.getByLabelText('Search name or email'), 'a');
  await waitFor(() => expect(page.getAddress()).toBe('/'));
  expect(await screen.findByText('Need Admin to access the page')).toBeVisible();
});

test('an ended sign-in leads from an administrator page to /login', async () => {
  shop.signIn('admin');
  shop.refuse(readUser, 'sign-in-needed');
  shop.identityUser = null;
  const page = await openPage('/dashboard/manage-orders');
  await waitFor(() => expect(page.getAddress()).toBe('/login?from=%2Fdashboard%2Fmanage-orders'));
  expect(await screen.findByText(/Your session has ended/)).toBeVisible();
  expect(screen.queryByText('Need Admin to access the page')).not.toBeInTheDocument();
});

test('an expired access token is silently renewed once per page', async () => {
  shop.signIn('user');
  localStorage.setItem('accessToken', 'ran-out');
  for (const call of [readUser, listOrders]) {
    const answer = call === readUser ? { role: 'user' } : { data: [] };
    shop.respond(call, ({ headers }) =>
      headers.get('authorization') === 'Bearer ran-out'
        ? Response.json({}, { status: 401 })
        : Response.json(answer),
    );
  }
  await openPage('/dashboard/my-orders');
  expect(await screen.findByText('No orders yet')).toBeVisible();
  expect(shop.getRequests('GET /identity/token')).toHaveLength(1);
  expect(localStorage.getItem('accessToken')).toBe('a-new-token');
});

test('Logout in another tab leads to /login without a return path', async () => {
  shop.signIn();
  const page = await openPage('/dashboard/my-profile');
  await screen.findByRole('heading', { name: 'My Profile' });
  new BroadcastChannel('session').postMessage('signed-out');
  await waitFor(() => expect(page.getAddress()).toBe('/login'));
  expect(screen.queryByText(/Your session has ended/)).not.toBeInTheDocument();
});

test('a failing identity service shows its reference and keeps the account', async () => {
  shop.signIn();
  shop.respond('GET /identity/get-session', () =>
    Response.json({}, { status: 503, headers: { 'x-request-id': '0198c2f4-5555' } }),
  );
  await openPage('/dashboard/my-profile');
  expect(await screen.findByRole('heading', { name: 'Something went wrong on our side' })).toBeVisible();
  expect(screen.getByText(/Quote it when you write to us\./).parentElement).toHaveTextContent(
    'Reference 0198c2f4-5555.',
  );
  expect(localStorage.getItem('accessToken')).toBe('a-token');
});
