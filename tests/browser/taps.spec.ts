import { expect, type Page } from '@playwright/test';
import { administrator, createPerson, register, signIn } from './people.ts';
import { addProduct, saveInBatch } from './products.ts';
import { test } from './silent-test.ts';

async function typePhone(page: Page): Promise<void> {
  await page.getByLabel('Address').fill('12 Oxford Street, Osu\nAccra, Ghana');
  await page.getByLabel('phone').pressSequentially('+44 113 555 0100');
}

test('the first tap on Purchase places the order', { tag: '@only-phone' }, async ({ page, request }) => {
  const part = await addProduct(request);
  await signIn(page, await register(page.request), `/purchase/${part._id}`);
  await typePhone(page);
  await page.getByRole('button', { name: 'Purchase' }).tap();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
});

test('the first tap on Place places the batch', { tag: '@only-phone' }, async ({ page, request }) => {
  const part = await addProduct(request);
  const person = await register(page.request);
  await saveInBatch(request, person, part);
  await signIn(page, person, '/dashboard/batch');
  await typePhone(page);
  await page.getByRole('button', { name: /^Place \d/ }).tap();
  await expect(page.getByRole('heading', { level: 1, name: '1 order placed' })).toBeVisible();
});

interface TappedForm {
  path: string;
  /** Opens the form if needed. */
  open?: string;
  field: string;
  wrong: string;
  error: string | RegExp;
  right: string;
  button: string | RegExp;
  done: string;
}

/**
 * Leaving the last field changes its message while the button is tapped. A wrong value keeps the focus, a
 * right one is sent.
 */
async function tapTwice(page: Page, { path, open, field, wrong, error, right, button, done }: TappedForm) {
  if (new URL(page.url()).pathname !== path) await page.goto(path);
  if (open !== undefined) await page.getByRole('button', { name: open }).tap();
  const form = page.getByRole(open === undefined ? 'main' : 'dialog');
  const input = form.getByLabel(field, { exact: true });
  const submit = form.getByRole('button', { name: button });
  await input.tap();
  await input.fill(wrong);
  await submit.tap();
  await expect(page.getByText(error)).toBeVisible();
  // `toBeFocused` also asks for the window's focus, which another window may take on a busy machine.
  await expect.poll(() => input.evaluate((field) => field === document.activeElement)).toBe(true);
  // Otherwise two taps would be a double tap.
  await input.tap();
  await input.fill(right);
  await submit.tap();
  await expect(page.getByText(done)).toBeVisible();
}

test('the first tap on SIGN UP and Login counts', { tag: '@only-phone' }, async ({ page }) => {
  const person = createPerson();
  await page.goto('/register');
  await page.getByLabel('Name').fill(person.name);
  await page.getByLabel('Email').fill(person.email);
  await tapTwice(page, {
    path: '/register',
    field: 'Password',
    wrong: 'abc',
    error: 'Must be 6 characters or longer',
    right: person.password,
    button: 'SIGN UP',
    done: 'Registration Successful. Please Login !',
  });
  // The toast comes before the next page, and /register has the same labels.
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  await page.getByLabel('Email').fill(person.email);
  await tapTwice(page, {
    path: '/login',
    field: 'Password',
    wrong: 'abc',
    error: 'Must be 6 characters or longer',
    right: person.password,
    button: 'Login',
    done: 'Featured parts',
  });
});

test('the first tap on the forms of a customer counts', { tag: '@only-phone' }, async ({ page }) => {
  await signIn(page, await register(page.request), '/dashboard/my-reviews');
  await tapTwice(page, {
    path: '/dashboard/my-reviews',
    field: 'Review',
    wrong: ' ',
    error: 'Review is Required',
    right: 'Flat and straight.',
    button: 'Submit review',
    done: 'Review submitted successfully.',
  });
  await tapTwice(page, {
    path: '/dashboard/my-profile',
    field: 'LinkedIn',
    wrong: 'amara',
    error: 'Must be a link that begins with http:// or https://',
    right: 'https://www.linkedin.com/in/amara-okafor',
    button: 'Update profile',
    done: 'profile updated successfully',
  });
});

test('the first tap on the forms of a part counts', { tag: '@only-phone' }, async ({ page, request }) => {
  const part = await addProduct(request);
  const path = `/dashboard/manage-products/${part._id}`;
  await signIn(page, administrator, path);
  await tapTwice(page, {
    path,
    field: 'Price',
    wrong: '64.125',
    error: /may be 64125 or 64\.125/,
    right: '65',
    button: 'Save changes',
    done: `${part.name}: saved`,
  });
  await tapTwice(page, {
    path: `${path}/stock`,
    open: 'Restock',
    field: 'Pieces to add',
    wrong: '1.5',
    error: 'Must be a whole number',
    right: '200',
    button: /^(Restock|Add( 200)?)$/,
    done: `${part.name}: 25,000 in stock`,
  });
});
