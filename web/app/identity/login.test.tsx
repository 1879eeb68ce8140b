import { exchangeIdentity } from '@parts-forge/contract/people/identity';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const email = () => screen.getByLabelText('Email');
const password = () => screen.getByLabelText('Password');
const login = () => screen.getByRole('button', { name: 'Login' });

async function openLogin(address = '/login') {
  const page = await openPage(address);
  await screen.findByRole('heading', { name: 'Login' });
  return page;
}

async function logIn({ user }: Awaited<ReturnType<typeof openLogin>>) {
  await user.type(email(), 'amara@repair.example');
  await user.type(password(), 'secret 1');
  await user.click(login());
}

test('a field is checked on leaving, then on every change', async () => {
  const { user } = await openLogin();
  await user.type(email(), 'amara');
  expect(screen.queryByText('Valid Email is needed')).not.toBeInTheDocument();
  await user.tab();
  expect(await screen.findByText('Valid Email is needed')).toBeVisible();
  expect(email()).toHaveAccessibleDescription('Valid Email is needed');
  await user.type(email(), '@repair.example');
  await waitFor(() => expect(screen.queryByText('Valid Email is needed')).not.toBeInTheDocument());
  await user.clear(email());
  expect(await screen.findByText('Email is Required')).toBeVisible();
});

test('an empty form marks both fields and focuses the first', async () => {
  const { user } = await openLogin();
  await user.click(login());
  expect(await screen.findByText('Email is Required')).toBeVisible();
  expect(screen.getByText('Password is Required')).toBeVisible();
  expect(email()).toHaveFocus();
  await user.type(password(), '12345');
  expect(await screen.findByText('Must be 6 characters or longer')).toBeVisible();
});

test('the fields support the browser’s autofill', async () => {
  await openLogin();
  expect(email()).toHaveAttribute('autocomplete', expect.stringMatching(/^(email|username)$/));
  expect(password()).toHaveAttribute('autocomplete', 'current-password');
});

test('a sign-in registers with the shop, stores the token, opens /', async () => {
  shop.letIn();
  shop.refuse('GET /product', 'unavailable');
  shop.refuse('GET /review', 'unavailable');
  const page = await openLogin();
  await logIn(page);
  await waitFor(() => expect(page.getAddress()).toBe('/'));
  expect(localStorage.getItem('accessToken')).toBe('a-new-token');
  const [exchange] = shop.getRequests(exchangeIdentity);
  expect(exchange?.params.email).toBe('amara@repair.example');
  expect(exchange?.headers.get('authorization')).toBe('Bearer proof');
  expect(exchange?.body).toEqual({ email: 'amara@repair.example', name: 'Amara Okafor' });
  expect(await screen.findByRole('button', { name: 'Amara' })).toBeVisible();
});

test('a sign-in leads back to the previous page', async () => {
  shop.letIn();
  const page = await openLogin('/login?from=%2Fportfolio');
  await logIn(page);
  await waitFor(() => expect(page.getAddress()).toBe('/portfolio'));
});

test('a visitor from a part reads that they will return', async () => {
  await openLogin('/login?from=%2Fpurchase%2F1');
  expect(screen.getByText("Log in to order this part. We'll bring you back.")).toBeVisible();
  expectLink('Create an account', '/register?from=%2Fpurchase%2F1');
});

test('a failed login shows the provider’s message and keeps the input', async () => {
  shop.respond('POST /identity/sign-in/email', () =>
    Response.json({ message: 'Invalid email or password' }, { status: 401 }),
  );
  const page = await openLogin();
  await logIn(page);
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Invalid email or password$/);
  expect(email()).toHaveValue('amara@repair.example');
  expect(password()).toHaveValue('secret 1');
  shop.letIn();
  shop.refuse('GET /product', 'unavailable');
  shop.refuse('GET /review', 'unavailable');
  await page.user.click(login());
  await waitFor(() => expect(page.getAddress()).toBe('/'));
});

test('a failing identity service shows its reference', async () => {
  shop.respond('POST /identity/sign-in/email', () =>
    Response.json({}, { status: 500, headers: { 'x-request-id': '0198c2f4-bbbb' } }),
  );
  await logIn(await openLogin());
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The sign-in service is not available at the moment.');
  expect(alert).toHaveTextContent('Reference 0198c2f4-bbbb');
});

test('a refusal by the shop also ends the identity session', async () => {
  shop.letIn();
  shop.refuse(exchangeIdentity, 'email-in-use', { detail: 'This email belongs to another account' });
  const page = await openLogin();
  await logIn(page);
  expect(await screen.findByRole('alert')).toHaveTextContent('This email belongs to another account');
  expect(page.getAddress()).toBe('/login');
  expect(localStorage.getItem('accessToken')).toBeNull();
  await waitFor(() => expect(shop.identityUser).toBeNull());
});

test('a lost connection is shown in the banner', async () => {
  shop.disconnect('POST /identity/sign-in/email');
  await logIn(await openLogin());
  expect(await screen.findByRole('alert')).toHaveTextContent('The shop cannot be reached.');
});

test('the button is busy during the request and ignores presses', async () => {
  shop.letIn();
  const release = shop.hold('POST /identity/sign-in/email');
  const page = await openLogin('/login?from=%2Fportfolio');
  await logIn(page);
  const busy = await screen.findByRole('button', { name: 'Signing in…' });
  expect(busy).toHaveAttribute('aria-busy', 'true');
  await page.user.click(busy);
  release();
  await waitFor(() => expect(page.getAddress()).toBe('/portfolio'));
  expect(shop.getRequests('POST /identity/sign-in/email')).toHaveLength(1);
});

test('a signed-in user is redirected', async () => {
  shop.signIn();
  const page = await openPage('/login?from=%2Fportfolio');
  await waitFor(() => expect(page.getAddress()).toBe('/portfolio'));
});

test('only a path of this shop is followed', async () => {
  shop.signIn();
  shop.refuse('GET /product', 'unavailable');
  shop.refuse('GET /review', 'unavailable');
  const page = await openPage('/login?from=%2F%5Cevil.example');
  await waitFor(() => expect(page.getAddress()).toBe('/'));
  expect(await within(screen.getByRole('main')).findByText(/We manufacture/)).toBeVisible();
});

test('the page links to the forgotten password', async () => {
  await openLogin();
  expectLink('Forgot your password?', '/forgot-password');
});

test('the password is hidden until a button shows it', async () => {
  const { user } = await openLogin();
  await user.type(password(), 'secret 1');
  expect(password()).toHaveAttribute('type', 'password');
  const show = screen.getByRole('button', { name: 'Show password' });
  await user.click(show);
  expect(show).toHaveAttribute('aria-pressed', 'true');
  expect(password()).toHaveAttribute('type', 'text');
  expect(password()).toHaveValue('secret 1');
  await user.click(show);
  expect(password()).toHaveAttribute('type', 'password');
});
