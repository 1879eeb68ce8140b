import { expect, type Page } from '@playwright/test';
import { fillCard } from './card-form.ts';
import { payForOrder, placeOrder, registerCustomerWithOrder } from './orders.ts';
import { administrator, createPerson, register, registerByPage, signIn, submitLogin } from './people.ts';
import { addProduct } from './products.ts';
import { fillDelivery } from './purchase.ts';
import { findRow } from './rows.ts';
import { test } from './silent-test.ts';

/** Replaces each text by elements of its own, as browsers do that translate, and keeps doing so. */
function translate(): void {
  const kept = 'script, style, textarea, title, option, [translate="no"], font';
  const wrap = (text: Node) => {
    if (!text.textContent?.trim() || text.parentElement?.closest(kept) || !text.parentNode) return;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.append(text.textContent);
    outer.append(inner);
    text.parentNode.replaceChild(outer, text);
  };
  const wrapAll = (root: Node) => {
    const texts: Node[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode);
    if (root.nodeType === Node.TEXT_NODE) texts.push(root);
    texts.forEach(wrap);
  };
  const watcher = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'characterData') wrap(target);
      else addedNodes.forEach(wrapAll);
    }
  });
  const begin = () => {
    wrapAll(document.body);
    watcher.observe(document.body, { childList: true, characterData: true, subtree: true });
  };
  // After the page is alive, as people read before they translate.
  addEventListener('load', () => setTimeout(begin, 300));
}

test.beforeEach(({ page }) => page.addInitScript(translate));

/** Waits until the page is translated. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('main font').first()).toBeAttached();
}
const main = (page: Page) => page.getByRole('main');
const crashed = (page: Page) => page.getByText('The page could not be shown.');

test('a visitor uses every form of a translated page', async ({ page, request }) => {
  const part = await addProduct(request);
  const person = createPerson();
  await open(page, '/all-products');
  await page.getByRole('searchbox').first().fill(part.name);
  await expect(page.getByRole('heading', { name: part.name })).toBeVisible();
  await open(page, `/products/${part._id}`);
  await page.getByLabel('Quantity', { exact: true }).fill('500');
  await expect(main(page)).toContainText('500 × $64.50');
  await main(page).getByRole('button', { name: /batch/ }).first().click();
  await expect(page.getByText('500 pieces added to the batch.')).toBeVisible();
  await open(page, '/login');
  await submitLogin(page, { ...person, email: '', password: '' });
  await submitLogin(page, person);
  await expect(page.getByRole('alert').first()).toBeVisible();
  await open(page, '/register');
  await page.getByRole('button', { name: 'SIGN UP' }).click();
  await registerByPage(page, person);
  await expect(page).toHaveURL('/login');
  await submitLogin(page, person);
  await expect(page).toHaveURL('/');
  await expect(crashed(page)).toHaveCount(0);
});

test('a customer orders, pays and cancels on translated pages', async ({ page, request }) => {
  const part = await addProduct(request);
  const person = await register(request);
  await signIn(page, person, `/purchase/${part._id}`);
  await expect(page.locator('main font').first()).toBeAttached();
  await page.getByRole('button', { name: 'Purchase' }).click();
  await page.getByLabel('Purchase Quantity').fill('500');
  await expect(main(page)).toContainText('$32,250.00');
  await fillDelivery(page);
  await page.getByRole('button', { name: 'Purchase' }).click();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  await page.getByRole('link', { name: 'Pay now' }).click();
  await fillCard(page, '4000 0000 0000 0002');
  const pay = page.getByRole('button', { name: /^Pay \$/ });
  await pay.click();
  await expect(page.getByText(/was declined/)).toBeVisible();
  await fillCard(page, '4242 4242 4242 4242');
  await pay.click();
  await expect(page.getByText('Success: Congrats. Your Payment is completed.')).toBeVisible();
  const { id } = await placeOrder(request, person, part, 50);
  await open(page, `/dashboard/order/${id}`);
  await page.getByRole('button', { name: 'Cancel order' }).first().click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Cancel order|Yes/ })
    .click();
  await expect(main(page)).toContainText('This order was cancelled.');
  await open(page, '/dashboard/batch');
  await page.getByRole('textbox').first().fill('no part, 50');
  await page.getByRole('button', { name: /^Add/ }).click();
  await expect(main(page)).toContainText(/no part number|No part has/);
  await open(page, '/dashboard/my-profile');
  await main(page).getByRole('button').first().click();
  await open(page, '/dashboard/my-reviews');
  await main(page).getByRole('button').last().click();
  await expect(crashed(page)).toHaveCount(0);
});

test('an administrator works on translated pages', async ({ page, request }) => {
  const { part, person, order } = await registerCustomerWithOrder(request);
  const other = await placeOrder(request, person, part, 60);
  for (const each of [order, other]) await payForOrder(request, each);
  await signIn(page, administrator, '/dashboard/manage-products');
  await expect(page.locator('main font').first()).toBeAttached();
  await page.getByRole('searchbox').first().fill(part.name);
  await expect(findRow(page, part.name)).toHaveCount(1);
  for (const path of [
    'overview',
    'manage-orders',
    'manage-users',
    'activity',
    'mail',
    'pick-list',
    'restock-csv',
  ]) {
    await open(page, `/dashboard/${path}`);
    await expect(crashed(page)).toHaveCount(0);
  }
  await open(page, `/dashboard/order/${order.id}`);
  await page.getByRole('button', { name: 'accept payment' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /[Aa]ccept/ })
    .click();
  await expect(page.getByText('Accepted and shipped').first()).toBeVisible();
  await open(page, `/dashboard/order/${other.id}`);
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Refund order' }).click();
  await expect(page.getByText('Order refunded')).toBeVisible();
  await open(page, '/dashboard/manage-users');
  await page.getByRole('searchbox').first().fill(person.email);
  await expect(findRow(page, person.email)).toHaveCount(1);
  await open(page, '/dashboard/add-product');
  await main(page).getByRole('button', { name: /Add/ }).last().click();
  await open(page, `/dashboard/manage-products/${part._id}`);
  await page.locator('input[name=price]').fill('70');
  await main(page).getByRole('button', { name: /Save/ }).click();
  await expect(crashed(page)).toHaveCount(0);
});
