import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { lazyPart } from './lazy-part.tsx';

test('a page stays when a part of it cannot be loaded', async () => {
  const Lost = lazyPart<object>(() => Promise.reject(new Error('offline')));
  const Found = lazyPart(async () => ({ default: () => <p>found</p> }));
  render(
    <main>
      <Lost />
      <Found />
    </main>,
  );
  expect(await screen.findByText('found')).toBeVisible();
});
