import { render, screen } from '@testing-library/react';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { OfflineError } from '#app/http/errors.ts';
import { ErrorPage } from './error-page.tsx';

test.each([
  ['a crash', new Error('It fell over.'), 'The page could not be shown.'],
  ['a lost connection', new OfflineError(), 'Check the connection and try again.'],
])('after %s the page sends orders and payments to My Orders', (_what, error, sentence) => {
  const Page = createRoutesStub([{ path: '/', Component: () => <ErrorPage error={error} /> }]);
  render(<Page />);
  expect(screen.getByRole('alert')).toHaveTextContent(
    `${sentence} If you were ordering or paying, look at My Orders before you do it again.`,
  );
});
