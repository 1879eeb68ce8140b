import { exchangeIdentity, logout } from '@parts-forge/contract/people/identity';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const field = (name: string) => screen.getByLabelText(name);
const signUp = () => screen.getByRole('button', { name: 'SIGN UP' });

async function openRegister(address = '/register') {
  const page = await openPage(address);
  await screen.findByRole('heading', { name: 'Sign Up' });
  return page;
}

async function register({ user }: Awaited<ReturnType<typeof openRegister>>) {
  await user.type(field('Name'), 'Amara Okafor');
  await user.type(field('Email'), 'amara@repair.example');
  await user.type(field('Password'), 'secret 1');
  await user.click(signUp());
}

const acceptRegistration = () => shop.letIn(aUser(), 'POST /identity/sign-up/email');

test('an empty form marks its fields; the password’s error replaces its hint', async () => {
  const { user } = await openRegister();
  expect(screen.getByText('At least 6 characters')).toBeVisible();
  await user.click(signUp());
  expect(await screen.findByText('Name is Required')).toBeVisible();
  expect(screen.getByText('Email is Required')).toBeVisible();
  expect(screen.getByText('Password is Required')).toBeVisible();
  expect(screen.queryByText('At least 6 characters')).not.toBeInTheDocument();
  expect(field('Name')).toHaveFocus();
});

test('an address that the service rejects is refused under its field', async () => {
  const { user } = await openRegister();
  for (const email of ['jörg@check.example', 'a..b@check.example']) {
    await user.clear(field('Email'));
    await user.type(field('Email'), email);
    await user.tab();
    expect(await screen.findByText('Valid Email is needed')).toBeVisible();
  }
});

test('name and email survive a reload, a shown password does not', async () => {
  acceptRegistration();
  const { user } = await openRegister();
  await user.type(field('Name'), 'Amara Okafor');
  await user.type(field('Email'), 'amara@repair.example');
  await user.type(field('Password'), 'secret 1');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  await user.type(field('Password'), '2');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('secret');
  const page = await openRegister();
  expect(field('Name')).toHaveValue('Amara Okafor');
  expect(field('Email')).toHaveValue('amara@repair.example');
  expect(field('Password')).toHaveValue('');
  await page.user.type(field('Password'), 'secret 1');
  await page.user.click(signUp());
  await waitFor(() => expect(page.getAddress()).toBe('/login'));
  await openRegister();
  expect(field('Name')).toHaveValue('');
});

test('the fields support the browser’s autofill', async () => {
  await openRegister();
  expect(field('Name')).toHaveAttribute('autocomplete', 'name');
  expect(field('Email')).toHaveAttribute('autocomplete', expect.stringMatching(/^(email|username)$/));
  expect(field('Password')).toHaveAttribute('autocomplete', 'new-password');
});

test("success shows 'Registration Successful. Please Login !', signs out and opens /login", async () => {
  acceptRegistration();
  const page = await openRegister();
  await register(page);
  await waitFor(() => expect(page.getAddress()).toBe('/login'));
  expect(await screen.findByText('Registration Successful. Please Login !')).toBeVisible();
  expect(shop.getRequests(exchangeIdentity)).toHaveLength(1);
  expect(shop.getRequests(logout)).toHaveLength(1);
  expect(shop.identityUser).toBeNull();
  expect(localStorage.getItem('accessToken')).toBeNull();
});

test('the return path is passed on to /login', async () => {
  acceptRegistration();
  const page = await openRegister('/register?from=%2Fpurchase%2F1');
  await register(page);
  await waitFor(() => expect(page.getAddress()).toBe('/login?from=%2Fpurchase%2F1'));
});

test('the email is passed on to /login, with focus on the password', async () => {
  acceptRegistration();
  const page = await openRegister();
  await register(page);
  // The address changes shortly before the next page's fields appear.
  expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
  expect(page.getAddress()).toBe('/login');
  expect(field('Email')).toHaveValue('amara@repair.example');
  expect(field('Password')).toHaveValue('');
  await waitFor(() => expect(field('Password')).toHaveFocus());
});

test('a refused registration shows the provider’s message and keeps the input', async () => {
  shop.respond('POST /identity/sign-up/email', () =>
    Response.json({ message: 'User already exists. Use another email.' }, { status: 422 }),
  );
  const page = await openRegister();
  await register(page);
  expect(await screen.findByRole('alert')).toHaveTextContent(/^User already exists\. Use another email\.$/);
  expect(field('Name')).toHaveValue('Amara Okafor');
  expect(page.getAddress()).toBe('/register');
});

test('a refusal by the shop leaves nobody signed in', async () => {
  acceptRegistration();
  shop.refuse(exchangeIdentity, 'unavailable', { requestId: '0198c2f4-cccc' });
  const page = await openRegister();
  await register(page);
  expect(await screen.findByRole('alert')).toHaveTextContent('Reference 0198c2f4-cccc');
  await waitFor(() => expect(shop.identityUser).toBeNull());
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Login' })).toBeVisible();
});

test("'Please Login !' disappears after the login", async () => {
  acceptRegistration();
  const page = await openRegister('/register?from=%2Fportfolio');
  await register(page);
  const message = await screen.findByText('Registration Successful. Please Login !');
  // The form of /register, still present for a moment, has fields with the same names.
  const login = await screen.findByRole('button', { name: 'Login' });
  await waitFor(() => expect(screen.getByLabelText('Email')).toHaveValue('amara@repair.example'));
  shop.letIn();
  await page.user.type(screen.getByLabelText('Password'), 'secret 1');
  await page.user.click(login);
  await waitFor(() => expect(page.getAddress()).toBe('/portfolio'));
  expect(message).not.toBeInTheDocument();
});
