import { listMail, type Mail, readMail } from '@parts-forge/contract/events/mail';
import { listUsers } from '@parts-forge/contract/people/users';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const id = '01a201a6-8283-76e6-9919-9b4149729eb4';
const mail: Mail = {
  _id: id,
  kind: 'order-placed',
  to: { _id: id, name: 'Amara Okafor', email: 'amara@repair.example' },
  state: 'waiting',
  attempts: 0,
  createdAt: '2026-11-21T09:30:00.000Z',
  nextAttemptAt: '2026-11-21T09:30:00.000Z',
};

test('Manage All Users links to the mails, which the menu omits', async () => {
  shop.signIn('admin');
  shop.answerPage(listUsers, [], '0');
  const { user, getAddress } = await openPage('/dashboard/manage-users');
  const [menu] = await screen.findAllByRole('navigation', { name: 'Dashboard' });
  expect(within(menu as HTMLElement).queryByRole('link', { name: 'Mail' })).toBeNull();
  shop.answerPage(listMail, { data: [] }, '0');
  await user.click(screen.getByRole('link', { name: 'Mail' }));
  expect(await screen.findByText('No mail yet')).toBeVisible();
  expect(getAddress()).toBe('/dashboard/mail');
});

test('a mail is listed with its recipient and state', async () => {
  shop.signIn('admin');
  const { to: _to, ...gone } = mail;
  const { nextAttemptAt: _next, ...ended } = mail;
  const again: Mail = { ...mail, _id: `${id.slice(0, -1)}7`, error: '451', attempts: 1 };
  const dead: Mail = { ...ended, _id: `${id.slice(0, -1)}5`, state: 'dead', error: '550', attempts: 1 };
  const overtaken: Mail = { ...gone, _id: `${id.slice(0, -1)}6`, kind: 'low-stock', state: 'dropped' };
  shop.answerPage(listMail, { data: [mail, again, dead, overtaken] }, '4');
  await openPage('/dashboard/mail');
  const rows = (await screen.findAllByRole('row')).slice(1).map(({ textContent }) => textContent);
  expect(rows).toEqual([
    expect.stringMatching(/^Order placed.*amara@repair\.example.*Waiting$/),
    expect.stringMatching(/^Order placed.*Waiting \(451\), tried again 21 Nov 2026, \d\d:\d\d$/),
    expect.stringMatching(/^Order placed.*Given up \(550\)$/),
    expect.stringMatching(/^Low stock.*A deleted user.*Not sent: outdated$/),
  ]);
});

test('a mail is shown as text and as HTML in a sandbox', async () => {
  shop.signIn('admin');
  shop.answer(readMail, {
    subject: 'Order placed',
    text: 'Your order is placed',
    html: '<!doctype html><body style="margin:0"><p style="color:#161b21">Hello</p><a href="https://x.example">Pay</a></body>',
  });
  await openPage(`/dashboard/mail/${id}`);
  expect(await screen.findByRole('heading', { name: 'Order placed' })).toBeVisible();
  expect(await screen.findByText('Your order is placed')).toBeVisible();
  const frame = screen.getByTitle<HTMLIFrameElement>('Order placed');
  expect(frame.getAttribute('sandbox')).toBe('allow-same-origin');
  expect(shop.getRequests(readMail)[0]?.params.id).toBe(id);
});

test('a missing mail says so', async () => {
  shop.signIn('admin');
  shop.refuse(readMail, 'not-found');
  await openPage(`/dashboard/mail/${id}`);
  expect(await screen.findByText('The mail could not be loaded')).toBeVisible();
});
