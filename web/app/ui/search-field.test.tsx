import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Link, Outlet, RouterProvider, useSearchParams } from 'react-router';
import { expect, test, vi } from 'vitest';
import { SearchField } from './search-field.tsx';
import { SEARCH_DELAY_MS } from './search-text.ts';

function List() {
  const [search, setSearch] = useSearchParams();
  const value = search.get('q') ?? '';
  return (
    <>
      <SearchField label="Search orders" value={value} onSearch={(q) => void setSearch({ q })} />
      <p>Shown: {value}</p>
      <Link to="/order">An order</Link>
    </>
  );
}

/** The page of an order loads until `arrive`. */
function openList() {
  let arrive = () => {};
  const loaded = new Promise<null>((resolve) => {
    arrive = () => resolve(null);
  });
  const router = createMemoryRouter([
    {
      element: <Outlet />,
      children: [
        { path: '/', element: <List /> },
        { path: '/order', element: <h1>The order</h1>, loader: () => loaded },
      ],
    },
  ]);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  render(<RouterProvider router={router} />);
  return { arrive, user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }) };
}

test('a list is searched while its user types', async () => {
  const { user } = openList();
  await user.type(screen.getByRole('searchbox', { name: 'Search orders' }), 'OLED');
  expect(await screen.findByText('Shown: OLED')).toBeVisible();
});

test('a link pressed right after typing leads to its page', async () => {
  const { arrive, user } = openList();
  await user.type(screen.getByRole('searchbox', { name: 'Search orders' }), 'OLED');
  await user.click(screen.getByRole('link', { name: 'An order' }));
  await vi.advanceTimersByTimeAsync(2 * SEARCH_DELAY_MS);
  arrive();
  expect(await screen.findByRole('heading', { name: 'The order' })).toBeVisible();
});
