import {
  changeWebhook,
  createWebhook,
  type Delivery,
  deleteWebhook,
  listWebhooks,
  sendDelivery,
  type Webhook,
} from '@parts-forge/contract/events/webhooks';
import { listKeys } from '@parts-forge/contract/people/keys';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const webhook: Webhook = {
  _id: '01a201a6-8283-76e6-9919-9b4149729eb4',
  url: 'https://erp.example/events',
  types: ['order.paid', 'stock.low'],
  state: 'on',
  madeBy: { _id: '01a201a6-8283-76e6-9919-9b4149729eb5', name: 'Ada', email: 'ada@shop.example' },
  createdAt: '2026-11-20T08:00:00.000Z',
  waiting: 0,
  deliveries: [],
  last: { type: 'order.paid', at: '2026-11-21T14:03:00.000Z', answer: '200', ms: 120 },
};
const behind: Webhook = {
  ...webhook,
  url: 'https://mail.example/in',
  state: 'behind',
  waiting: 31,
  failingSince: '2026-11-21T09:20:00.000Z',
  last: { type: 'order.paid', at: '2026-11-21T14:03:00.000Z', answer: '302', ms: 80 },
};
const test500: Delivery = {
  _id: '01a201a6-8283-76e6-9919-9b4149729eb5',
  type: 'test',
  state: 'failed',
  attempts: 1,
  answer: 'PRIVATE_ADDRESS',
  ms: 3,
  at: '2026-11-21T09:30:00.000Z',
};
const aside: Delivery = {
  ...test500,
  _id: '01a201a6-8283-76e6-9919-9b4149729eb6',
  event: 17,
  type: 'order.paid',
  state: 'set-aside',
  answer: '422',
  attempts: 9,
};
const secret = `whsec_${'A'.repeat(43)}=`;

beforeEach(() => {
  shop.signIn('admin');
  shop.answer(listKeys, { data: [] });
});

async function openList(...webhooks: Webhook[]) {
  shop.answer(listWebhooks, { data: webhooks });
  const page = await openPage('/dashboard/connections');
  if (webhooks[0]) await screen.findByText(webhooks[0].url);
  else await screen.findByText('No address is told.');
  return page;
}

async function openWebhook(one: Webhook, ...deliveries: Delivery[]) {
  shop.answer(listWebhooks, { data: [{ ...one, deliveries }] });
  const page = await openPage(`/dashboard/webhooks/${one._id}`);
  await screen.findByRole('heading', { level: 1, name: one.url });
  return page;
}

describe('Connections', () => {
  test('a webhook shows state, last answer and the events that wait', async () => {
    const { last: _, ...off } = {
      ...webhook,
      _id: 'off',
      url: 'https://old.example/x',
      state: 'off' as const,
    };
    await openList(
      { ...webhook, waiting: 5 },
      { ...behind, _id: 'behind', deliveries: [aside, test500] },
      off,
    );
    const texts = screen
      .getAllByRole('row')
      .slice(-3)
      .map(({ textContent }) => textContent);
    expect(texts).toEqual([
      'Onhttps://erp.example/events2Ada, 20 Nov 2026order.paid, 21 Nov 2026, 14:03; 5 waiting200, 120 msSend a test',
      'Behindhttps://mail.example/in2Ada, 20 Nov 2026order.paid, 21 Nov 2026, 14:03; 31 waiting since 21 Nov 2026, 09:20; 1 set aside302, 80 msSend a test',
      'Offhttps://old.example/x2Ada, 20 Nov 2026nothing yetSwitch on',
    ]);
  });

  test('a new webhook shows its secret once', async () => {
    const { user } = await openList();
    shop.answer(createWebhook, { secret, data: webhook });
    await user.click(screen.getByRole('button', { name: 'New webhook' }));
    await user.type(screen.getByLabelText('Address'), webhook.url);
    await user.click(screen.getByRole('checkbox', { name: /^stock\.low/ }));
    await user.click(screen.getByRole('checkbox', { name: /^order\.paid/ }));
    shop.answer(listWebhooks, { data: [webhook] });
    await user.click(screen.getByRole('button', { name: 'Make webhook' }));
    expect(await screen.findByText(secret)).toBeVisible();
    expect(shop.getRequests(createWebhook)[0]?.body).toEqual({
      url: webhook.url,
      types: ['order.paid', 'stock.low'],
    });
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'I have copied it' }));
    expect(screen.queryByText(secret)).toBeNull();
    expect(await screen.findByRole('link', { name: webhook.url })).toBeVisible();
  });

  test('a refused address keeps the form', async () => {
    const { user } = await openList();
    await user.click(screen.getByRole('button', { name: 'New webhook' }));
    const errors = [{ path: 'url', message: 'Must begin with https://' }];
    shop.refuse(createWebhook, 'invalid', { errors });
    await user.click(screen.getByRole('button', { name: 'Make webhook' }));
    expect(await screen.findByText('Must begin with https://')).toBeVisible();
    expect(screen.getByLabelText('Address')).toHaveFocus();
    shop.refuse(createWebhook, 'sign-in-again');
    await user.click(screen.getByRole('button', { name: 'Make webhook' }));
    expect(await screen.findByRole('button', { name: 'Sign in again' })).toBeVisible();
  });

  test('a test says what the receiver answered', async () => {
    const { user } = await openList(webhook);
    shop.answer(sendDelivery, { data: test500 });
    await user.click(screen.getByRole('button', { name: `Send a test: ${webhook.url}` }));
    expect(await screen.findByText('The receiver did not take it: PRIVATE_ADDRESS')).toBeVisible();
    shop.answer(sendDelivery, { data: { ...test500, state: 'sent', answer: '200' } });
    await user.click(screen.getByRole('button', { name: `Send a test: ${webhook.url}` }));
    expect(await screen.findByText('The receiver took it in 3 ms')).toBeVisible();
    expect(shop.getRequests(sendDelivery).map(({ body }) => body)).toEqual([{}, {}]);
  });

  test('a webhook that is off is switched on from the list', async () => {
    const off: Webhook = { ...webhook, state: 'off' };
    const { user } = await openList(off);
    shop.answer(changeWebhook, { data: webhook });
    shop.answer(listWebhooks, { data: [webhook] });
    await user.click(screen.getByRole('button', { name: `Switch on: ${webhook.url}` }));
    expect(await screen.findByRole('button', { name: `Send a test: ${webhook.url}` })).toBeVisible();
    expect(shop.getRequests(changeWebhook)[0]?.body).toEqual({ state: 'on' });
  });
});

describe('the page of a webhook', () => {
  test('a delivery that was set aside is sent again', async () => {
    const { user } = await openWebhook(webhook, aside, test500);
    const [, first, second] = screen.getAllByRole('row');
    expect(first).toHaveTextContent('order.paid 17Set aside422, 3 ms, 9 attemptsSend again');
    expect(second).toHaveTextContent('testFailedPRIVATE_ADDRESS, 3 ms');
    expect(within(second as HTMLElement).queryByRole('button')).toBeNull();
    shop.answer(sendDelivery, { data: { ...aside, state: 'sent', answer: '200' } });
    await user.click(screen.getByRole('button', { name: 'Send again: event 17' }));
    expect(await screen.findByText('The receiver took it in 3 ms')).toBeVisible();
    expect(shop.getRequests(sendDelivery)[0]?.body).toEqual({ event: 17 });
  });

  test("another administrator's webhook is taken over", async () => {
    const { user } = await openWebhook(webhook);
    expect(screen.getByLabelText('This webhook')).toHaveTextContent('Made by Ada, 20 Nov 2026');
    shop.answer(changeWebhook, { data: webhook });
    await user.click(screen.getByRole('button', { name: `Take over: ${webhook.url}` }));
    await waitFor(() => expect(shop.getRequests(changeWebhook)[0]?.body).toEqual({ state: 'on' }));
  });

  test('a new secret is shown once', async () => {
    const { user } = await openWebhook(webhook);
    await user.click(screen.getByRole('button', { name: 'New secret' }));
    const dialog = within(screen.getByRole('dialog'));
    shop.refuse(changeWebhook, 'sign-in-again');
    await user.click(dialog.getByRole('button', { name: 'New secret' }));
    expect(await screen.findByRole('button', { name: 'Sign in again' })).toBeVisible();
    shop.answer(changeWebhook, { secret, data: webhook });
    await user.click(dialog.getByRole('button', { name: 'New secret' }));
    expect(await screen.findByText(secret)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'I have copied it' }));
    expect(screen.queryByText(secret)).toBeNull();
    expect(shop.getRequests(changeWebhook)[1]?.body).toEqual({ secret: 'new' });
  });

  test('a webhook is switched off', async () => {
    const { user } = await openWebhook(webhook);
    shop.answer(changeWebhook, { data: webhook });
    await user.click(screen.getByRole('button', { name: `Switch off: ${webhook.url}` }));
    await waitFor(() => expect(shop.getRequests(changeWebhook)[0]?.body).toEqual({ state: 'off' }));
  });

  test('removing a webhook leaves its page before its lists change', async () => {
    const { user } = await openWebhook(webhook);
    shop.answer(deleteWebhook, { deletedCount: 1 });
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    const release = shop.hold(listWebhooks);
    shop.answer(listWebhooks, { data: [] });
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    await screen.findByRole('heading', { level: 1, name: 'Connections' });
    release();
    expect(await screen.findByText('No address is told.')).toBeVisible();
  });

  test('a webhook that is gone says so', async () => {
    shop.answer(listWebhooks, { data: [] });
    await openPage(`/dashboard/webhooks/${webhook._id}`);
    expect(await screen.findByText('This webhook was removed.')).toBeVisible();
  });
});
