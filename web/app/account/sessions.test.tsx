import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { formatMoment } from '#app/ui/format-moment.ts';
import { aSession } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const endSession = 'POST /identity/revoke-session';

const here = aSession();
const phone = aSession({
  userAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0',
  updatedAt: '2026-11-20T09:30:00.000Z',
});
const unknown = aSession({ userAgent: null, ipAddress: null, updatedAt: '2026-11-10T09:30:00.000Z' });

beforeEach(() => {
  shop.respond(endSession, ({ body }) => {
    const { token } = body as { token: string };
    shop.sessions = shop.sessions.filter((session) => session.token !== token);
    return Response.json({ status: true });
  });
});

async function openSessions(sessions = [here, unknown, phone]) {
  shop.signIn();
  shop.sessions = sessions;
  const page = await openPage('/dashboard/my-profile');
  const panel = within(await screen.findByRole('region', { name: 'Sessions' }));
  await panel.findByText('This browser');
  return { ...page, panel };
}

type Panel = Awaited<ReturnType<typeof openSessions>>['panel'];
const listRows = (panel: Panel) => panel.getAllByRole('listitem').map((row) => row.textContent);

test('this browser comes first, then others by most recent use', async () => {
  const { panel } = await openSessions();
  const signedIn = formatMoment(here.createdAt);
  expect(listRows(panel)).toEqual([
    `Chrome on WindowsThis browserLast used ${formatMoment(here.updatedAt)}, signed in ${signedIn} from 192.0.2.7`,
    `Firefox on AndroidLast used ${formatMoment(phone.updatedAt)}, signed in ${signedIn} from 192.0.2.7End`,
    `Unknown browserLast used ${formatMoment(unknown.updatedAt)}, signed in ${signedIn}End`,
  ]);
});

test('another session can be ended', async () => {
  const { user, panel } = await openSessions();
  await user.click(panel.getByRole('button', { name: /^End: Firefox on Android, signed in 18 Nov 2026, / }));
  expect(await screen.findByText('Session ended')).toBeVisible();
  expect(shop.getRequests(endSession).map(({ body }) => body)).toEqual([{ token: phone.token }]);
  await waitFor(() => expect(panel.queryByText('Firefox on Android')).not.toBeInTheDocument());
  await waitFor(() => expect(panel.getByRole('list')).toHaveFocus());
});

test('all other sessions can be ended together', async () => {
  const { user, panel } = await openSessions();
  await user.click(panel.getByRole('button', { name: 'End all others' }));
  expect(await screen.findByText('All other sessions ended')).toBeVisible();
  expect(await panel.findByText('You are signed in nowhere else.')).toBeVisible();
  expect(shop.sessions).toEqual([here]);
});

test('the list says that there is no other session', async () => {
  const { panel } = await openSessions([here]);
  expect(panel.getByText('You are signed in nowhere else.')).toBeVisible();
  expect(panel.queryByRole('button')).not.toBeInTheDocument();
});

test('a failed end names its reason and keeps the session', async () => {
  const { user, panel } = await openSessions();
  shop.disconnect(endSession);
  await user.click(panel.getByRole('button', { name: /^End: Firefox/ }));
  expect(await panel.findByRole('alert')).toHaveTextContent('The server did not answer. Try again.');
  expect(panel.getByText('Firefox on Android')).toBeVisible();
});

test('the list shows loading, then failure with a retry', async () => {
  shop.signIn();
  shop.sessions = [here];
  shop.respond('GET /identity/list-sessions', () =>
    Response.json({}, { status: 503, headers: { 'x-request-id': '0198c2f4-dddd' } }),
  );
  const release = shop.hold('GET /identity/list-sessions');
  const { user } = await openPage('/dashboard/my-profile');
  const panel = within(await screen.findByRole('region', { name: 'Sessions' }));
  expect(await panel.findByText('Loading…')).toBeInTheDocument();
  release();
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('Your sessions could not be loaded');
  expect(alert).toHaveTextContent('Reference 0198c2f4-dddd');
  shop.respond('GET /identity/list-sessions', () => Response.json(shop.sessions));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('This browser')).toBeVisible();
});
