import { listWebhooks } from '@parts-forge/contract/events/webhooks';
import { acceptPayment, listOrders } from '@parts-forge/contract/orders/orders';
import { readConfig } from '@parts-forge/contract/people/identity';
import {
  changeRole,
  changeTax,
  deleteUser,
  listUsers,
  readUser,
  readUserSummary,
} from '@parts-forge/contract/people/users';
import { deleteReview } from '@parts-forge/contract/products/reviews';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aConfig, anOrder, aReview, aUser } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const tomas = aUser({ name: 'Tomás Herrera', email: 'tomas@movilcentro.example', location: 'Madrid' });
const ines = aUser({ name: 'Ines Carvalho', email: 'ines@partsforge.example', role: 'admin' });
const review = aReview({ description: 'Consistent.', rating: 4.5 });
const summary = { orders: 2, paid: 61_208, waiting: 8520, unpaid: 0, refunded: 1290, reviews: [review] };

async function openCustomer(user = tomas) {
  shop.signIn('admin', ines);
  shop.respond(readUser, ({ params: { email } }) => Response.json(email === user.email ? user : ines));
  shop.answer(readUserSummary, summary);
  shop.respond(listOrders, ({ query }) =>
    Response.json({
      data: query.has('closed')
        ? [anOrder({ productName: 'Coil', closed: 'expired' })]
        : [anOrder({ productName: 'Battery', number: 10388, status: 'paid' })],
    }),
  );
  const page = await openPage(`/dashboard/customers/${encodeURIComponent(user.email)}`);
  await screen.findByRole('heading', { level: 1, name: user.name });
  await screen.findByRole('region', { name: 'Totals' });
  return page;
}
const region = (name: string) => within(screen.getByRole('region', { name }));

test("a customer's page has totals, details, reviews, open and closed orders", async () => {
  const { user } = await openCustomer();
  expect(
    [...screen.getByRole('region', { name: 'Totals' }).querySelectorAll('dl > div')].map(
      (cell) => cell.textContent,
    ),
  ).toEqual(['Paid in all$61,208.00', 'Waiting for acceptance$8,520.00', 'Unpaid$0.00', 'Refunded$1,290.00']);
  expect(region('Details').getByText('Madrid')).toBeVisible();
  expect(region('Reviews').getByText('Consistent.')).toBeVisible();
  expect(
    within(await region('Orders').findByRole('row', { name: /10388/ })).getByText('Shipped'),
  ).toBeVisible();
  await user.click(region('Orders').getByRole('link', { name: /^ended/ }));
  expect(await region('Orders').findByText('expired')).toBeVisible();
  // The account id, since the address may have belonged to another account.
  const asked = shop.getRequests(listOrders).map(({ query }) => [query.get('user'), query.has('email')]);
  expect(asked).toEqual([
    [tomas._id, false],
    [tomas._id, false],
  ]);
});

test('a customer is marked as exempt only with a reason', async () => {
  const { user } = await openCustomer();
  expect(region('Details').getByText(/As the shop charges it/)).toBeVisible();
  await user.click(region('Details').getByRole('button', { name: 'Change' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Tax of Tomás Herrera' }));
  await user.selectOptions(dialog.getByLabelText('For orders from now on'), 'Exempt');
  const message = 'Say why no tax is charged';
  shop.refuse(changeTax, 'invalid', { errors: [{ path: 'reason', message }] });
  await user.type(dialog.getByLabelText('Reason, shown to the customer'), '{Enter}');
  expect(await dialog.findByText(message)).toBeVisible();
  shop.answer(changeTax, { acknowledged: true });
  const untaxed = { tax: 'exempt', reason: 'a charity' } as const;
  shop.answer(readUser, { ...tomas, untaxed });
  await user.type(dialog.getByLabelText('Reason, shown to the customer'), 'a charity{Enter}');
  expect(await region('Details').findByText(/Exempt: a charity/)).toBeVisible();
  expect(shop.getRequests(changeTax).at(-1)?.body).toEqual(untaxed);
});

test('reverse charge without a tax number is refused at the choice', async () => {
  const taxToCheck = { tax: 'reverse', reason: 'checked' } as const;
  const { user } = await openCustomer({ ...tomas, taxToCheck });
  expect(region('Details').getByText(/^Charged until .+ Before: Reverse charge: checked/)).toBeVisible();
  await user.click(region('Details').getByRole('button', { name: 'Change' }));
  const message = 'Reverse charge needs a tax number';
  shop.refuse(changeTax, 'invalid', { errors: [{ path: 'taxNumber', message }] });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(message)).toBeVisible();
  expect(shop.getRequests(changeTax).at(-1)?.body).toEqual(taxToCheck);
});

test('a shop without a rate shows no tax on invoices', async () => {
  shop.answer(readConfig, { ...aConfig(), chargesTax: false });
  await openCustomer({ ...tomas, taxNumber: 'ES 1', untaxed: { tax: 'exempt', reason: 'a charity' } });
  expect(region('Details').getByText('Tax number')).toBeVisible();
  expect(region('Details').queryByText(/^Tax$|charity|charge/)).not.toBeInTheDocument();
});

test('a payment is accepted in its row, which stays in place', async () => {
  shop.signIn('admin', ines);
  const { user } = await openCustomer();
  const pending = anOrder({ productName: 'Mainboard', status: 'pending' });
  shop.respond(listOrders, ({ query }) => Response.json({ data: query.has('closed') ? [] : [pending] }));
  await openPage(`/dashboard/customers/${encodeURIComponent(tomas.email)}`);
  const row = within(await screen.findByRole('row', { name: /Mainboard/ }));
  shop.answer(acceptPayment, { acknowledged: true });
  await user.click(row.getByRole('button', { name: /^accept payment for Mainboard by/ }));
  expect(await within(screen.getByRole('row', { name: /Mainboard/ })).findByText('Accepted')).toBeVisible();
  expect(shop.getRequests(acceptPayment)[0]?.params.id).toBe(pending._id);
});

test('removing a review asks first', async () => {
  const { user } = await openCustomer();
  await user.click(screen.getByRole('button', { name: /^Remove the review of/ }));
  const question = within(screen.getByRole('dialog', { name: 'Remove this review?' }));
  expect(question.getByRole('button', { name: 'Keep review' })).toHaveFocus();
  shop.answer(deleteReview, { deletedCount: 1 });
  shop.answer(readUserSummary, { ...summary, reviews: [] });
  await user.click(question.getByRole('button', { name: 'Remove review' }));
  expect(await screen.findByText('Review removed')).toBeVisible();
  expect(await screen.findByText('None written.')).toBeVisible();
  expect(shop.getRequests(deleteReview)[0]?.params.id).toBe(review._id);
});

test('promoting a customer to administrator asks first', async () => {
  const { user } = await openCustomer();
  await user.click(screen.getByRole('button', { name: 'Make Admin' }));
  shop.answer(changeRole, { result: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } });
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make Admin' }));
  expect(await screen.findByText('Made Admin successfully..!')).toBeVisible();
  expect(shop.getSentBody(changeRole)).toEqual({ role: 'admin' });
});

test('the last administrator keeps the role, and a message says why', async () => {
  const greta = aUser({ name: 'Greta Solberg', email: 'greta@partsforge.example', role: 'admin' });
  shop.answer(listWebhooks, { data: [] });
  const { user } = await openCustomer(greta);
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Make user' }));
  shop.refuse(changeRole, 'last-admin');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make user' }));
  expect(
    await screen.findByText('The shop needs an administrator: make somebody else one first.'),
  ).toBeVisible();
});

test('administrators cannot revoke their own role', async () => {
  await openCustomer(ines);
  expect(screen.queryByRole('button', { name: 'Make user' })).toBeNull();
});

test('deleting a customer leads to the list of users', async () => {
  const page = await openCustomer();
  await page.user.click(screen.getByRole('button', { name: 'Delete' }));
  shop.answer(deleteUser, { deletedCount: 1 });
  shop.answerPage(listUsers, [ines], '1');
  await page.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete user' }));
  expect(await screen.findByText('User Removed successfully..!')).toBeVisible();
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/manage-users'));
});
