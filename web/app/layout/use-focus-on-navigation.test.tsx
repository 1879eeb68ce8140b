import { act, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router';
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

test('a loading page with a changed search still focuses the final heading', async () => {
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

function List() {
  const [isLoading, setLoading] = useState(true);
  finishLoading = () => setLoading(false);
  return (
    <>
      <h1>All Parts</h1>
      {!isLoading && (
        <>
          <Link to="/parts/1">Flex</Link>
          <Link to="/parts/2?quantity=10">Ten displays</Link>
          <Link to="/parts/2">Display</Link>
        </>
      )}
    </>
  );
}

const Part = () => (
  <>
    <h1>A part</h1>
    <Link to="/parts">All Parts</Link>
  </>
);

test('Back focuses the link that was followed, or else the heading', async () => {
  const router = createMemoryRouter(
    [
      {
        path: '/',
        Component: Frame,
        children: [
          { path: 'parts', Component: List },
          { path: 'parts/:id', Component: Part },
        ],
      },
    ],
    { initialEntries: ['/parts', '/parts/2', '/parts/3'] },
  );
  render(<RouterProvider router={router} />);
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'A part' })).toHaveFocus());
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'All Parts' })).toHaveFocus());
  act(() => finishLoading());
  await waitFor(() => expect(screen.getByRole('link', { name: 'Display' })).toHaveFocus());
  // Forward leads on, as the link did.
  await act(() => router.navigate(1));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'A part' })).toHaveFocus());
});
