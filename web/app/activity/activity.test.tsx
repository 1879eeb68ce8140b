import { type Activity, listActivity } from '@parts-forge/contract/events/trail';
import { createDownload } from '@parts-forge/contract/files/downloads';
import { readConfig } from '@parts-forge/contract/people/identity';
import { listUsers } from '@parts-forge/contract/people/users';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aConfig, aUser } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const ada = { kind: 'admin', _id: '01a1fe55-4eaf-7194-bacc-0000000000aa', name: 'Ada Reyes' } as const;
let count = 0;
function anEntry(wanted: Partial<Activity>): Activity {
  count += 1;
  return {
    _id: `entry-${count}`,
    at: '2026-11-20T11:05:00.000Z',
    event: 'accepted',
    by: ada,
    requestId: 'x',
    ...wanted,
  };
}

const openActivity = async (
  entries: Activity[],
  query = '',
  administrators = [{ _id: ada._id as string, name: ada.name as string }],
) => {
  shop.signIn('admin');
  const users = administrators.map(({ _id, name }) => aUser({ _id, name, role: 'admin' }));
  shop.answerPage(listUsers, users, String(users.length));
  shop.answerPage(listActivity, { data: entries }, String(entries.length));
  return openPage(`/dashboard/activity${query}`);
};

test('names of people and parts are isolated from the text direction', async () => {
  await openActivity([
    anEntry({ by: { ...ada, name: 'عدا' }, user: { _id: 'u', name: 'علي', email: 'ali@shop.example' } }),
    anEntry({ event: 'product-deleted', product: { _id: 'p', name: 'شاشة' } }),
    anEntry({ event: 'product-changed', product: { _id: 'q', name: 'بطارية' } }),
  ]);
  for (const name of ['عدا', 'علي', 'شاشة', 'بطارية']) {
    expect((await screen.findByText(name)).tagName).toBe('BDI');
  }
});

test('entries show actor, action, subject, and old and new values', async () => {
  await openActivity([
    anEntry({
      order: 'order-1',
      orderNumber: 10402,
      before: { status: 'pending' },
      after: { status: 'paid' },
    }),
    anEntry({
      event: 'stock-corrected',
      product: { _id: 'p', name: 'Back glass, ember' },
      before: { quantity: 2425 },
      after: { quantity: 2400 },
    }),
    anEntry({
      event: 'role-changed',
      user: { _id: 'u', name: 'Ines Carvalho', email: 'ines@shop.example' },
      before: { role: 'user' },
      after: { role: 'admin' },
    }),
    anEntry({ event: 'product-changed', product: { _id: 'p2', name: 'Screw set' } }),
    anEntry({ event: 'product-deleted', product: { _id: 'p3', name: 'Old cover' } }),
    anEntry({ event: 'expired', by: { kind: 'system' }, order: 'order-2' }),
  ]);
  await screen.findByRole('link', { name: '10402' });
  const all = screen.getAllByRole('listitem');
  const items = all.filter((item) => item.querySelector('time'));
  expect(items.map(({ textContent }) => textContent?.replace(/^\d{2}:\d{2}/, ''))).toEqual([
    'Ada Reyes accepted the paymentOrder 10402',
    'Ada Reyes corrected the stockBack glass, ember: pieces 2,425 → 2,400',
    'Ada Reyes changed a roleInes Carvalho: role user → admin',
    'Ada Reyes edited a partScrew set',
    'Ada Reyes deleted a partOld cover',
    'Parts Forge let the order expireOrder order-2',
  ]);
  expectLink('10402', '/dashboard/order/order-1');
  expectLink('Ines Carvalho', '/dashboard/customers/ines%40shop.example');
  const part = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href');
  expect(part('Back glass, ember')).toBe('/dashboard/manage-products/p/stock');
  expect(part('Screw set')).toBe('/dashboard/manage-products/p2');
  expect(part('Old cover')).toBeUndefined();
  expect(screen.getByText('6 of 6')).toBeVisible();
});

test('the filters are in the address and in the request', async () => {
  const page = await openActivity([anEntry({})], '?q=10402&what=payments&from=2026-11-01&to=bogus');
  await screen.findByText('Ada Reyes', { selector: 'bdi' });
  expect(Object.fromEntries(shop.getRequests(listActivity)[0]?.query ?? [])).toEqual({
    limit: '24',
    q: '10402',
    what: 'payments',
    from: '2026-11-01T00:00:00.000Z',
  });
  expect(screen.getByLabelText('What')).toHaveDisplayValue('Payments');
  await page.user.selectOptions(screen.getByLabelText('Who'), 'Ada Reyes');
  await waitFor(() => expect(screen.getByLabelText('Who')).toHaveDisplayValue('Ada Reyes'));
  expect(page.getAddress()).toContain(`who=${ada._id}`);
  await page.user.selectOptions(screen.getByLabelText('What'), 'Everything');
  await waitFor(() => expect(screen.getByLabelText('What')).toHaveDisplayValue('Everything'));
  expect(page.getAddress()).not.toContain('what=');
  await waitFor(() => expect(shop.getRequests(listActivity).at(-1)?.query.get('who')).toBe(ada._id));
});

test('all administrators can be chosen, then other actors seen', async () => {
  const jonas = { _id: '01a1fe55-4eaf-7194-bacc-0000000000bb', name: 'Jonas Feld' };
  const ines = { kind: 'user', _id: '01a1fe55-4eaf-7194-bacc-0000000000cc', name: 'Ines Carvalho' } as const;
  await openActivity([anEntry({ event: 'paid', by: ines })], '', [jonas, ada]);
  await screen.findByRole('option', { name: 'Ada Reyes' });
  const list = (group: HTMLElement) =>
    [...group.children].map((child) => child.getAttribute('label') ?? child.textContent);
  const who = screen.getByLabelText('Who');
  expect(list(who)).toEqual(['Everyone', 'Ada Reyes', 'Jonas Feld', 'Others']);
  expect(list(within(who).getByRole('group', { name: 'Others' }))).toEqual(['Ines Carvalho']);
  expect(Object.fromEntries(shop.getRequests(listUsers)[0]?.query ?? [])).toEqual({
    role: 'admin',
    limit: '100',
  });
});

test('the export has the filtered entries', async () => {
  const page = await openActivity([anEntry({})], '?what=payments&from=2026-11-01');
  await screen.findByText('1 of 1');
  shop.refuse(createDownload, 'unavailable');
  await page.user.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() =>
    expect(shop.getSentBody(createDownload)).toEqual({
      what: 'activity',
      filters: { what: 'payments', from: '2026-11-01T00:00:00.000Z' },
    }),
  );
});

test('an empty result offers to show everything', async () => {
  const page = await openActivity([], '?what=people');
  const notice = (await screen.findByText('No entry matches')).parentElement as HTMLElement;
  await page.user.click(within(notice).getByRole('button', { name: 'Show all entries' }));
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/activity'));
  expect(await screen.findByText('Nothing yet')).toBeVisible();
});

test("days and times use the shop's time zone", async () => {
  shop.answer(readConfig, { ...aConfig(), timeZone: 'America/Los_Angeles' });
  await openActivity([anEntry({ at: '2025-11-25T03:30:00.000Z' })], '?from=2025-11-24&before=2025-11-25');
  expect(await screen.findByText('Days and times are those of America/Los Angeles.')).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Monday, 24 November 2025' })).toBeVisible();
  expect(screen.getByText('19:30')).toBeVisible();
  const query = shop.getRequests(listActivity).at(-1)?.query;
  expect([query?.get('from'), query?.get('to')]).toEqual([
    '2025-11-24T08:00:00.000Z',
    '2025-11-25T08:00:00.000Z',
  ]);
});
