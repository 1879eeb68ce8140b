import { listOrders } from '@parts-forge/contract/orders/orders';
import { updateProfile } from '@parts-forge/contract/people/users';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { setOnline } from '#test/set-online.ts';

const shop = startFakeShop();

afterEach(() => {
  document.documentElement.removeAttribute('data-account');
  document.documentElement.removeAttribute('data-theme');
});

test('an unknown address shows the not-found page with a picture and link', async () => {
  await openPage('/nowhere');
  const main = within(screen.getByRole('main'));
  expect(await main.findByRole('img', { name: /marked 404/ })).toBeVisible();
  expectLink('Take Me Home', '/', main);
});

test('the portfolio has name, email, education, skills and three projects', async () => {
  await openPage('/portfolio');
  const card = within(screen.getByRole('article'));
  expect(card.getByRole('heading', { level: 1 })).toHaveTextContent('Nadia Brandt');
  expectLink('nadia@brandt.example', 'mailto:nadia@brandt.example', card);
  expect(card.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Education',
    'Skills',
    'Projects',
  ]);
  const projects = card.getAllByRole('link').slice(1);
  expect(projects.map((link) => link.getAttribute('href'))).toEqual(['/', '/all-products', '/docs']);
});

test('a visitor reads Login, a customer the first word of their name', async () => {
  await openPage('/blogs');
  expect(document.documentElement).not.toHaveAttribute('data-account');
  shop.signIn();
  await openPage('/blogs');
  expect(await screen.findByRole('button', { name: 'Amara' })).toBeVisible();
  expect(document.documentElement).toHaveAttribute('data-account');
});

test('the theme is toggled and stored, and other tabs follow', async () => {
  const { user } = await openPage('/blogs');
  const toggle = screen.getByRole('button', { name: 'Dark theme' });
  expect(toggle).toHaveAttribute('aria-pressed', 'false');
  await user.click(toggle);
  expect(toggle).toHaveAttribute('aria-pressed', 'true');
  expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
  expect(localStorage.getItem('theme')).toBe('dark');
  act(() => void dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: 'light' })));
  expect(toggle).toHaveAttribute('aria-pressed', 'false');
});

test('Escape closes the account menu and focuses its button; clicks close it', async () => {
  shop.signIn();
  const { user } = await openPage('/blogs');
  const button = await screen.findByRole('button', { name: 'Amara' });
  await user.click(button);
  expect(button).toHaveAttribute('aria-expanded', 'true');
  await user.keyboard('{Escape}');
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(button).toHaveFocus();
  await user.click(button);
  await user.click(screen.getByRole('heading', { name: 'Blogs' }));
  expect(button).toHaveAttribute('aria-expanded', 'false');
});

test('signing out shows a message and keeps the focus in the page', async () => {
  shop.signIn();
  const { user } = await openPage('/blogs');
  await user.click(await screen.findByRole('button', { name: 'Amara' }));
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  const messages = within(screen.getByRole('region', { name: 'Messages' })).getByRole('status');
  expect(messages).toHaveTextContent('You are signed out');
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
});

test('a new sign-in removes the message of signing out', async () => {
  shop.signIn();
  const { user } = await openPage('/blogs');
  await user.click(await screen.findByRole('button', { name: 'Amara' }));
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  expect(screen.getByText('You are signed out')).toBeVisible();
  shop.letIn();
  // The page's own, as its modules are loaded again.
  const { session } = await import('#app/session/session.ts');
  await act(() => session.signIn({ email: 'amara@repair.example', password: 'Screws-and-glass-1' }));
  await screen.findByRole('button', { name: 'Amara' });
  expect(screen.queryByText('You are signed out')).not.toBeInTheDocument();
});

test("leaving the dashboard for /login never says 'Checking your sign-in'", async () => {
  shop.signIn();
  const page = await openPage('/dashboard/my-profile');
  await screen.findByRole('button', { name: 'Update profile' });
  const texts: string[] = [];
  const observer = new MutationObserver(() => texts.push(document.body.textContent));
  observer.observe(document.body, { childList: true, subtree: true });
  await page.user.click(await screen.findByRole('button', { name: 'Amara' }));
  await page.user.click(screen.getByRole('button', { name: 'Logout' }));
  await screen.findByText('You are signed out');
  await waitFor(() => expect(page.getAddress()).toBe('/login'));
  observer.disconnect();
  // These texts were displayed, so they include the message of signing out.
  expect(texts.some((text) => text.includes('You are signed out'))).toBe(true);
  expect(texts.filter((text) => text.includes('Checking your sign-in'))).toEqual([]);
});

/** `bottom` is in pixels from the window's top. Returns the spy on scrolling. */
async function openPageWithHeadingAt(bottom: number) {
  const { user } = await openPage('/blogs');
  const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue();
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ bottom } as DOMRect);
  await user.click(within(screen.getByRole('banner')).getAllByText('MyPortfolio')[0] ?? document.body);
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  return scroll;
}

test('a new page whose heading is below the window scrolls to it', async () => {
  expect(await openPageWithHeadingAt(1200)).toHaveBeenCalledOnce();
});

test('a new page whose heading is in the window is not scrolled', async () => {
  expect(await openPageWithHeadingAt(300)).not.toHaveBeenCalled();
});

test('a page without a connection says so and opens no unloaded page', async () => {
  const page = await openPage('/blogs');
  setOnline(false);
  expect(screen.getByText(/You are offline\./)).toBeVisible();
  await page.user.click(within(screen.getByRole('contentinfo')).getByRole('link', { name: 'Home' }));
  expect(await screen.findByText("You're offline. Try again when you're connected.")).toBeVisible();
  expect(page.getAddress()).toBe('/blogs');
  setOnline(true);
  expect(screen.queryByText(/You are offline\./)).not.toBeInTheDocument();
});

test('a message closes after 5000 ms', async () => {
  shop.signIn();
  shop.answer(updateProfile, { acknowledged: true });
  await openPage('/dashboard/my-profile');
  const update = await screen.findByRole('button', { name: 'Update profile' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  act(() => update.click());
  const message = await vi.waitFor(() => screen.getByText('profile updated successfully'), {
    timeout: 30_000,
  });
  await act(() => vi.advanceTimersByTimeAsync(4800));
  expect(message).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(400));
  expect(message).not.toBeInTheDocument();
});

test('a dismissed message returns the focus to where it was', async () => {
  shop.signIn();
  shop.answer(updateProfile, { acknowledged: true });
  const { user } = await openPage('/dashboard/my-profile');
  await user.click(await screen.findByRole('button', { name: 'Update profile' }));
  const message = await screen.findByText('profile updated successfully');
  await user.click(screen.getByRole('button', { name: 'Dismiss message' }));
  expect(message).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Update profile' })).toHaveFocus();
});

test('the crash screen quotes the id of the failed request', async () => {
  shop.signIn('admin');
  shop.refuse('GET /user/:email', 'unavailable', { requestId: '0198c2f4-ccc1', retryAfter: 5 });
  await openPage('/dashboard/manage-users');
  expect(await screen.findByRole('heading', { name: 'Something went wrong on our side' })).toBeVisible();
  expect(screen.getByText(/A part of the shop is not available at the moment\./)).toBeVisible();
  expect(screen.getByText(/Quote it when you write to us\./).parentElement).toHaveTextContent(
    'Reference 0198c2f4-ccc1. Quote it when you write to us.',
  );
  expect(screen.getByRole('button', { name: 'Try again in 5 s' })).toBeDisabled();
  expectLink('Take Me Home', '/');
});

test('a page that could not reach the shop shows no reference', async () => {
  shop.signIn();
  shop.disconnect('GET /identity/get-session');
  await openPage('/dashboard/my-profile');
  expect(await screen.findByRole('heading', { name: 'The shop cannot be reached' })).toBeVisible();
  expect(screen.queryByText(/Reference/)).not.toBeInTheDocument();
});

test.each([
  ['user', ['Dashboard', 'My Orders']],
  ['admin', ['Dashboard']],
] as const)('the menu of a phone leads a %s to %j', async (role, expected) => {
  shop.signIn(role);
  const { user } = await openPage('/blogs');
  await screen.findByRole('button', { name: 'Amara' });
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  const [, panel] = screen.getAllByRole('navigation', { name: 'Main' });
  if (!panel) throw new Error('There is no panel.');
  const pages = ['Home', 'Blogs', 'All Parts', 'MyPortfolio'];
  await waitFor(() =>
    expect(
      within(panel)
        .getAllByRole('link')
        .map(({ textContent }) => textContent)
        .filter((text) => text !== 'Login'),
    ).toEqual([...pages, ...expected]),
  );
});

test('a dashboard page is skipped to behind its side menu', async () => {
  shop.signIn('admin');
  shop.answer(listOrders, { data: [] });
  const { user } = await openPage('/dashboard/manage-orders');
  await screen.findByText('No orders yet');
  await user.click(screen.getByRole('link', { name: 'Skip to content' }));
  await user.tab();
  expect(screen.getByRole('searchbox', { name: 'Search orders' })).toHaveFocus();
});
