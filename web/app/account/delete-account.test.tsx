import { listOrders } from '@parts-forge/contract/orders/orders';
import { deleteUser } from '@parts-forge/contract/people/users';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const amara = aUser();
const signIn = 'POST /identity/sign-in/email';

async function openQuestion() {
  shop.signIn('user', amara);
  const page = await openPage('/dashboard/my-profile');
  await page.user.click(await screen.findByRole('button', { name: 'Delete account' }));
  const question = within(screen.getByRole('dialog', { name: 'Delete your account?' }));
  const confirm = () => page.user.click(question.getByRole('button', { name: 'Delete account' }));
  const confirmEmail = async () => {
    await page.user.type(question.getByLabelText('Type your email to confirm'), amara.email);
    await confirm();
  };
  return { ...page, question, confirm, confirmEmail };
}

function acceptPassword() {
  shop.respond(signIn, () => Response.json({ user: shop.identityUser }));
}

test('the focus starts on the email, so that Enter deletes nothing', async () => {
  const { question, user } = await openQuestion();
  expect(question.getByLabelText('Type your email to confirm')).toHaveFocus();
  await user.click(question.getByRole('button', { name: 'Keep account' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('another email deletes nothing', async () => {
  const { question, user, confirm } = await openQuestion();
  await user.type(question.getByLabelText('Type your email to confirm'), 'somebody@repair.example');
  await confirm();
  expect(await question.findByText(`Type ${amara.email}`)).toBeVisible();
  expect(shop.getRequests(deleteUser)).toEqual([]);
});

test('typing the email deletes the account and signs its owner out', async () => {
  const { getAddress, confirmEmail } = await openQuestion();
  shop.answer(deleteUser, { deletedCount: 1 });
  await confirmEmail();
  expect(await screen.findByText('Your account is deleted')).toBeVisible();
  await waitFor(() => expect(getAddress()).toBe('/login'));
  expect(shop.getRequests(deleteUser)[0]?.params.email).toBe(amara.email);
  expect(localStorage.getItem('accessToken')).toBeNull();
});

test('deletion asks for the password ten minutes after the sign-in', async () => {
  const { user, question, confirm, confirmEmail } = await openQuestion();
  shop.refuse(deleteUser, 'sign-in-again');
  await confirmEmail();
  const password = await question.findByLabelText('Your password');
  shop.refuseIdentity(signIn, 401, 'Invalid email or password', 'INVALID_EMAIL_OR_PASSWORD');
  await user.type(password, 'wrong');
  await confirm();
  await waitFor(() => expect(password).toHaveAccessibleDescription('Invalid email or password'));
  acceptPassword();
  shop.answer(deleteUser, { deletedCount: 1 });
  await user.clear(password);
  await user.type(password, 'secret 1');
  await confirm();
  expect(await screen.findByText('Your account is deleted')).toBeVisible();
  expect(shop.getRequests(signIn).at(-1)?.body).toEqual({ email: amara.email, password: 'secret 1' });
});

test.each([
  ['1', 'You have 1 unpaid order.'],
  ['3', 'You have 3 unpaid orders.'],
])('an account with %s unpaid orders stays and shows where they are', async (total, sentence) => {
  const { question, confirmEmail } = await openQuestion();
  shop.refuse(deleteUser, 'unpaid-orders');
  shop.answerPage(listOrders, { data: [] }, total);
  await confirmEmail();
  await waitFor(() => expect(question.getByRole('alert')).toHaveTextContent(sentence));
  expectLink('My Orders', '/dashboard/my-orders', question);
  const [request] = shop.getRequests(listOrders);
  expect(request?.query.get('status')).toBe('due');
  expect(request?.query.get('email')).toBe(amara.email);
});

test('a lost connection is shown and the question stays', async () => {
  const { question, confirmEmail } = await openQuestion();
  shop.disconnect(deleteUser);
  await confirmEmail();
  expect(await question.findByRole('alert')).toHaveTextContent('The server did not answer. Try again.');
});

test('an administrator reads that another one must demote them first', async () => {
  shop.signIn('admin');
  await openPage('/dashboard/my-profile');
  const panel = within(await screen.findByRole('region', { name: 'Delete account' }));
  expect(panel.getByText(/Another administrator can make you a user first/)).toBeVisible();
  expect(panel.queryByRole('button')).not.toBeInTheDocument();
});
