import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { createMenu } from './account-menu.tsx';

test('a dashboard link replaces a menu that fails to load', async () => {
  const Menu = createMenu(() => Promise.reject(new Error('The connection was lost.')));
  render(
    <MemoryRouter>
      <Suspense>
        <Menu user={{ id: 'account-1', email: 'amara@repair.example', displayName: 'Amara Okafor' }} />
      </Suspense>
    </MemoryRouter>,
  );
  expect(await screen.findByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard');
});
