import { act, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { expect, test, vi } from 'vitest';
import { type Check, type LoadCheck, RULES_WAIT_MS, useCheckedForm } from './use-checked-form.ts';

interface Entries {
  email: string;
}

const send = vi.fn(async (_values: Entries) => {});

function EmailForm({ load }: { load: LoadCheck<Entries> }) {
  const ref = useRef<HTMLFormElement>(null);
  const form = useCheckedForm(ref, load, ['email']);
  return (
    <form ref={ref} onSubmit={form.handleSubmit(send)}>
      <input aria-label="Email" defaultValue="amara@repair.example" {...form.register('email')} />
      <button type="submit">{form.isBusy ? 'Sending…' : 'Send'}</button>
    </form>
  );
}

test('missing rules delay a submit no longer than the timeout', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  send.mockClear();
  render(<EmailForm load={() => new Promise(() => {})} />);
  const button = screen.getByRole('button');
  act(() => button.click());
  await act(() => vi.advanceTimersByTimeAsync(RULES_WAIT_MS - 1));
  expect(button).toHaveTextContent('Sending…');
  expect(send).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(send).toHaveBeenCalledExactlyOnceWith({ email: 'amara@repair.example' }, expect.any(Function));
  expect(button).toHaveTextContent('Send');
});

test('late rules delay only one submit and apply once loaded', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  send.mockClear();
  const rules = Promise.withResolvers<Check<Entries>>();
  render(<EmailForm load={() => rules.promise} />);
  const button = screen.getByRole('button');
  act(() => button.click());
  await act(() => vi.advanceTimersByTimeAsync(RULES_WAIT_MS));
  act(() => button.click());
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(send).toHaveBeenCalledTimes(2);
  rules.resolve(() => ({ isRight: false, errors: { email: 'No such address' } }));
  act(() => button.click());
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(send).toHaveBeenCalledTimes(2);
  expect(screen.getByRole('textbox')).toHaveFocus();
});

test('a correction during the wait is sent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  send.mockClear();
  render(<EmailForm load={() => new Promise(() => {})} />);
  act(() => screen.getByRole('button').click());
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'amara@repairs.example' } });
  await act(() => vi.advanceTimersByTimeAsync(RULES_WAIT_MS));
  expect(send).toHaveBeenCalledExactlyOnceWith({ email: 'amara@repairs.example' }, expect.any(Function));
});

test('a failed load of the rules delays nothing', async () => {
  send.mockClear();
  render(<EmailForm load={() => Promise.reject(new TypeError('Failed to fetch'))} />);
  await act(async () => screen.getByRole('button').click());
  expect(send).toHaveBeenCalledOnce();
});

test('a second press while the form is sent sends nothing', async () => {
  const answer = Promise.withResolvers<void>();
  send.mockClear();
  send.mockImplementationOnce(() => answer.promise);
  render(
    <EmailForm
      load={async () => (entries) => ({ isRight: true, values: { email: String(entries.email) } })}
    />,
  );
  const button = screen.getByRole('button');
  await act(async () => {
    button.click();
    button.click();
  });
  await act(async () => button.click());
  expect(send).toHaveBeenCalledOnce();
  await act(async () => answer.resolve());
  await act(async () => button.click());
  expect(send).toHaveBeenCalledTimes(2);
});
