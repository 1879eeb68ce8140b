import { refundOrder } from '@parts-forge/contract/money/payments';
import { listOrders, type Order } from '@parts-forge/contract/orders/orders';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { openRowMenu } from '#test/row-menu.ts';

const shop = startFakeShop();

/** Of 120 pieces at $64.50. */
async function openDialog(wanted: Partial<Order> = {}) {
  const order = anOrder({ status: 'paid', transactionId: 'pi_12345678', ...wanted });
  shop.signIn('admin');
  shop.answer(listOrders, { data: [order] });
  const { user } = await openPage('/dashboard/manage-orders');
  const ask = async () => {
    await openRowMenu(user);
    await user.click(screen.getByRole('button', { name: /^Refund order of/ }));
    const dialog = within(screen.getByRole('dialog'));
    return { dialog, pieces: dialog.getByLabelText('Pieces'), amount: dialog.getByLabelText('Amount') };
  };
  return { order, user, ask, ...(await ask()) };
}
const send = (label: string) => screen.getByRole('button', { name: label });
const answerWith = (amount: number) =>
  shop.answer(refundOrder, { acknowledged: true, refund: { amount, state: 'succeeded' } });

test('everything left is the default', async () => {
  const { pieces, amount } = await openDialog();
  expect([pieces, amount].map((field) => (field as HTMLInputElement).value)).toEqual(['120', '7,740.00']);
  expect(screen.getByLabelText('Pieces')).toHaveFocus();
  expect(send('Refund $7,740.00')).toBeEnabled();
  expect(screen.queryByText('Refunded before')).toBeNull();
});

test('the amount follows the pieces, and what stays follows both', async () => {
  const refund = { amount: 645, state: 'succeeded', quantity: 10 } as const;
  const { user, dialog, pieces, amount } = await openDialog({ refund });
  await user.clear(pieces);
  await user.type(pieces, '20');
  expect(amount).toHaveValue('1,290.00');
  expect(dialog.getByText('20 × $64.50')).toBeVisible();
  expect(dialog.getByText('Refunded before').nextSibling).toHaveTextContent('−$645.00');
  expect(dialog.getByText('Stays paid after this').nextSibling).toHaveTextContent('$5,805.00');
  await user.click(dialog.getByRole('checkbox', { name: 'Put 20 pieces back in stock' }));
  answerWith(1290);
  await user.click(send('Refund $1,290.00'));
  expect(await screen.findByText('$1,290.00 refunded')).toBeVisible();
  expect(shop.getSentBody(refundOrder)).toEqual({ quantity: 20, returnStock: true });
});

test('an amount of whole pieces takes no pieces back', async () => {
  const { user, dialog, pieces, amount } = await openDialog({ status: 'pending' });
  await user.clear(amount);
  await user.type(amount, '129');
  expect(pieces).toHaveValue('');
  expect(dialog.getByText('Money only, no pieces')).toBeVisible();
  expect(dialog.queryByRole('checkbox')).toBeNull();
  answerWith(129);
  await user.click(send('Refund $129.00'));
  expect(await screen.findByText('$129.00 refunded')).toBeVisible();
  expect(shop.getSentBody(refundOrder)).toEqual({ amount: 129, returnStock: false });
});

test.each([
  ['Pieces', '120', { quantity: 120 }],
  ['Amount', '7740', { amount: 7740 }],
])('%s typed up to the rest are sent as typed', async (label, text, body) => {
  const { user, dialog } = await openDialog();
  await user.clear(dialog.getByLabelText(label));
  await user.type(dialog.getByLabelText(label), text);
  answerWith(7740);
  await user.click(send('Refund $7,740.00'));
  expect(await screen.findByText('Order refunded')).toBeVisible();
  expect(shop.getSentBody(refundOrder)).toEqual({ ...body, returnStock: false });
});

test.each([
  ['Pieces', '121', 'At most 120 pieces ($7,740.00) are left.'],
  ['Pieces', '0', 'Must be at least 1'],
  ['Pieces', '1.5', 'Must be a whole number'],
  ['Pieces', 'two', '“two” is not a whole number. Write digits only.'],
  ['Pieces', '', 'Must be a whole number'],
  ['Amount', '7740.01', 'At most 120 pieces ($7,740.00) are left.'],
  ['Amount', '0', 'Must be above 0'],
  ['Amount', '1.234', '“1.234” may be 1234 or 1.234. Write two decimals, such as 1234.00.'],
  ['Amount', '12.3456', '“12.3456” is not a price. Write it as 6.30.'],
])('%s of “%s” cannot be sent', async (label, text, message) => {
  const { user, dialog, pieces, amount } = await openDialog();
  const [typed, other] = label === 'Pieces' ? [pieces, amount] : [amount, pieces];
  await user.clear(typed);
  if (text !== '') await user.type(typed, text);
  expect(typed).toHaveAccessibleDescription(message);
  expect(other).toHaveValue('');
  expect(send('Refund')).toBeDisabled();
  await user.click(dialog.getByRole('button', { name: 'Everything left, $7,740.00' }));
  expect(send('Refund $7,740.00')).toBeEnabled();
});

test('the rest after an amount names all pieces that are left', async () => {
  const refund = { amount: 0.5, state: 'succeeded' } as const;
  const { user, dialog, pieces } = await openDialog({ status: 'pending', refund });
  expect(pieces).toHaveValue('');
  expect(dialog.getByText('The order is closed and cannot be brought back.')).toBeVisible();
  expect(dialog.getByRole('checkbox', { name: 'Put 120 pieces back in stock' })).toBeChecked();
  answerWith(7739.5);
  await user.click(send('Refund $7,739.50'));
  expect(await screen.findByText('Order refunded')).toBeVisible();
  expect(shop.getSentBody(refundOrder)).toEqual({ returnStock: true });
});

test('a lost answer keeps the input and is repeated by its key', async () => {
  const { user, pieces, dialog } = await openDialog();
  await user.type(dialog.getByLabelText('Reason (optional)'), 'Broken');
  await user.clear(pieces);
  await user.type(pieces, '2');
  shop.disconnect(refundOrder);
  await user.click(send('Refund $129.00'));
  expect(await dialog.findByText(/did not answer/)).toBeVisible();
  expect(pieces).toHaveValue('2');
  expect(dialog.getByLabelText('Reason (optional)')).toHaveValue('Broken');
  answerWith(129);
  await user.click(send('Refund $129.00'));
  expect(await screen.findByText('$129.00 refunded')).toBeVisible();
  const keys = shop.getRequests(refundOrder).map(({ headers }) => headers.get('idempotency-key'));
  expect([keys.length > 1, new Set(keys).size]).toEqual([true, 1]);
});
