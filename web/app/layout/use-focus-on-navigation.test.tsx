import { act, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';

function Frame() {
  const main = useFocusOnNavigation();
  return (
    <main ref={main} tabIndex={-1}>
      <Outlet />
    </main>
  );
}

let finishLoading = () => {};
function Parts() {
  const [isLoading, setLoading] = useState(true);
  finishLoading = () => setLoading(false);
  return isLoading ? <h1 key="loading">Parts</h1> : <h1 key="loaded">All Parts</h1>;
}

test('a loading page that changes its search text still hands the focus to the heading of the loaded one', async () => {
  const router = createMemoryRouter(
    [
      {
        path: '/',
        Component: Frame,
        children: [
          { path: 'blogs', element: <h1>Blogs</h1> },
          { path: 'parts', Component: Parts },
        ],
      },
    ],
    { initialEntries: ['/parts', '/blogs'] },
  );
  render(<RouterProvider router={router} />);
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Parts' })).toHaveFocus());
  await act(() => router.navigate('/parts?kind=Displays', { replace: true }));
  act(() => finishLoading());
  await waitFor(() => expect(screen.getByRole('heading', { name: 'All Parts' })).toHaveFocus());
});
