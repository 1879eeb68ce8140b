import { expect, type Page } from '@playwright/test';
import { fillCard } from './card-form.ts';
import { payForOrder, placeOrder, registerCustomerWithOrder } from './orders.ts';
import {
  administrator,
  createPerson,
  register,
  registerAdministrator,
  registerByPage,
  signIn,
  submitLogin,
} from './people.ts';
import { addProduct, editPrice } from './products.ts';
import { fillDelivery } from './purchase.ts';
import { findRow, pressInMenu } from './rows.ts';
import { test } from './silent-test.ts';
import { createTimeCode } from './time-code.ts';

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

const main = (page: Page) => page.getByRole('main');
const expectAlive = (page: Page) => expect(page.getByText('The page could not be shown.')).toHaveCount(0);
const untilTranslated = (page: Page) => expect(page.locator('main font').first()).toBeAttached();

/** Waits until the page is translated. */
async function open(page: Page, path: string): Promise<void> {
  await expectAlive(page);
  await page.goto(path);
  await untilTranslated(page);
}

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
  await open(page, '/');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText(/Nothing was sent/)).toHaveCount(2);
  await open(page, '/reset-password#token=x');
  await page.getByLabel('New password').fill('secret 3');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByRole('alert')).toContainText('This link was already used or has expired.');
  await open(page, '/forgot-password');
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Ask for a new password' }).click();
  await expect(page.getByText(/administrators of the shop now see/)).toBeVisible();
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
  await expectAlive(page);
});

test('a customer orders, pays and cancels on translated pages', async ({ page, request }) => {
  const part = await addProduct(request);
  const person = await register(request);
  await signIn(page, person, `/purchase/${part._id}`);
  await untilTranslated(page);
  await page.getByRole('button', { name: 'Purchase' }).click();
  await page.getByLabel('Purchase Quantity').fill('500');
  await expect(main(page)).toContainText('$32,250.00');
  await fillDelivery(page);
  await page.getByRole('button', { name: 'Purchase' }).click();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  await page.getByRole('link', { name: /^Pay \$/ }).click();
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
  await expectAlive(page);
});

test('a customer fills a batch on a translated page', async ({ page, request }) => {
  const part = await addProduct(request);
  const { data } = await (await request.get(`/product/${part._id}`)).json();
  await signIn(page, await register(request), '/dashboard/batch');
  await untilTranslated(page);
  const quantity = page.getByLabel(`Quantity of ${part.name}`);
  const paste = async () => {
    await page.getByLabel('Lines to add').fill(`${data.number};49`);
    await page.getByRole('button', { name: /^Add/ }).click();
    await expect(quantity).toHaveValue('49');
  };
  await paste();
  await page.getByRole('button', { name: 'Clear batch' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear batch' }).click();
  await expect(page.getByText('No lines yet')).toBeVisible();
  await paste();
  await page.getByRole('button', { name: /^50 pieces of / }).click();
  await expect(page.getByText('1 line, 50 pieces')).toBeVisible();
  for (const text of ['', 'x', '500']) await quantity.fill(text);
  await expect(page.getByText('1 line, 500 pieces')).toBeVisible();
  await fillDelivery(page);
  await page.getByRole('button', { name: 'Place 1 order' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '1 order placed' })).toBeVisible();
  await expectAlive(page);
});

test('a customer reviews, and deletes the account, on translated pages', async ({ page, request }) => {
  const person = await register(request);
  await signIn(page, person, '/dashboard/my-reviews');
  await untilTranslated(page);
  const submit = page.getByRole('button', { name: 'Submit review' });
  await submit.click();
  await expect(page.getByText('Review is Required')).toBeVisible();
  await page.getByLabel('Review', { exact: true }).fill(`Even, says ${person.email}.`);
  await submit.click();
  await expect(page.getByText('Review submitted successfully.')).toBeVisible();
  await open(page, '/dashboard/my-profile');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('button', { name: 'Update profile' }).click();
  await expect(page.getByText('profile updated successfully')).toBeVisible();
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByLabel('Type your email to confirm').fill(person.email);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your account is deleted')).toBeVisible();
  await expectAlive(page);
});

test('an administrator enables a second factor on a translated page', { tag: '@full' }, async ({
  page,
  request,
}) => {
  const person = await registerAdministrator(request, 'Ines Carvalho');
  await signIn(page, person, '/dashboard/my-profile');
  await untilTranslated(page);
  const secondFactor = page.getByRole('region', { name: 'Second factor' });
  await secondFactor.getByRole('button', { name: 'Set up' }).click();
  await secondFactor.getByLabel('Your password').fill(person.password);
  await secondFactor.getByRole('button', { name: 'Continue' }).click();
  const key = await secondFactor.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).textContent();
  await secondFactor.getByLabel('Code', { exact: true }).fill(createTimeCode(key ?? ''));
  await secondFactor.getByRole('button', { name: 'Switch on' }).click();
  await secondFactor.getByRole('button', { name: 'I have kept them' }).click();
  await expect(secondFactor.getByText('On', { exact: true })).toBeVisible();
  await expectAlive(page);
});

test('an administrator works on translated pages', { tag: '@full' }, async ({ page, request }) => {
  const { part, person, order } = await registerCustomerWithOrder(request);
  const other = await placeOrder(request, person, part, 60);
  for (const each of [order, other]) await payForOrder(request, each);
  await signIn(page, administrator, '/dashboard/manage-products');
  await untilTranslated(page);
  await page.getByRole('searchbox').first().fill(part.name);
  await expect(findRow(page, part.name)).toHaveCount(1);
  for (const path of [
    'overview',
    'manage-orders',
    'manage-users',
    'activity',
    'mail',
    'pick-list',
    'catalogue-file',
    'prices',
    'connections',
  ]) {
    await open(page, `/dashboard/${path}`);
    await expectAlive(page);
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
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Refund / })
    .click();
  await expect(page.getByText('Order refunded')).toBeVisible();
  await open(page, '/dashboard/manage-users');
  await page.getByRole('searchbox').first().fill(person.email);
  // The filtered list has new rows, in which no menu is open.
  await expect(page.locator('tbody tr')).toHaveCount(1);
  const row = findRow(page, person.email);
  await pressInMenu(row, /^Reset link: /);
  await page.getByRole('button', { name: 'Create a reset link', exact: true }).click();
  await expect(page.getByText(/#token=/)).toBeVisible();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await row.getByRole('button', { name: /^Make Admin: / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).click();
  await expect(page.getByText('Made Admin successfully..!')).toBeVisible();
  await open(page, '/dashboard/add-product');
  await main(page).getByRole('button', { name: /Add/ }).last().click();
  await open(page, `/dashboard/pick-list?orders=${order.id}`);
  await expect(page.getByText('1 order, 1 part.')).toBeVisible();
  await expectAlive(page);
});

test('an administrator changes prices and stock on translated pages', { tag: '@full' }, async ({
  page,
  request,
}) => {
  const part = await addProduct(request);
  const { data } = await (await request.get(`/product/${part._id}`)).json();
  await signIn(page, administrator, `/dashboard/manage-products/${part._id}`);
  await untilTranslated(page);
  const price = page.locator('input[name=price]');
  const save = main(page).getByRole('button', { name: /Save/ });
  await price.fill('6450');
  await save.click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await price.fill('70');
  await editPrice(request, part, 66);
  await save.click();
  await page.getByRole('alert').getByText('Keep mine').click();
  await save.click();
  await expect(page.getByText(`${part.name}: saved`)).toBeVisible();

  await open(page, `/dashboard/manage-products/${part._id}/stock`);
  await page.getByRole('button', { name: 'Restock' }).click();
  await page.getByLabel('Pieces to add').fill('2x');
  await page.getByLabel('Pieces to add').fill('200');
  await page.getByRole('button', { name: 'Add 200' }).click();
  await expect(page.getByRole('row', { name: /^Restock/ })).toBeVisible();

  await open(page, '/dashboard/catalogue-file');
  await page.getByLabel('Choose a CSV file or workbook').setInputFiles({
    name: 'restock.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`number,add,price\n${data.number},500,75\nNO-SUCH-PART,5,\n`),
  });
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await expect(page.getByRole('heading', { name: '1 part changed' })).toBeVisible();
  await expectAlive(page);
});
