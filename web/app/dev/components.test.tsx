import { render, screen, waitFor } from '@testing-library/react';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { groups } from './groups.ts';

test.each(groups)('every state of $title renders', async ({ examples }) => {
  const Page = createRoutesStub([
    { path: '/', Component: () => examples.map(({ name, render }) => <div key={name}>{render()}</div>) },
  ]);
  const { container } = render(<Page />);
  // Lists load asynchronously.
  await waitFor(() => {
    for (const example of container.children) expect(example).not.toBeEmptyDOMElement();
  });
  expect(screen.queryByText(/Unexpected Application Error/)).not.toBeInTheDocument();
});

test('every state has its own name', () => {
  const names = groups.flatMap(({ examples }) => examples.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});
