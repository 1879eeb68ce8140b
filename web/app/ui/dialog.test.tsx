import { fireEvent, render, screen } from '@testing-library/react';
import type { FormEvent } from 'react';
import { expect, test, vi } from 'vitest';
import { ConfirmDialog, Dialog } from './dialog.tsx';

const press = (element: Element, inARow: number) => fireEvent.click(element, { detail: inARow });

function openQuestion() {
  const onClose = vi.fn();
  const onConfirm = vi.fn();
  render(
    <ConfirmDialog
      title="Cancel this order?"
      safe="Keep order"
      confirm="Cancel order"
      onClose={onClose}
      onConfirm={onConfirm}
    >
      Its pieces return.
    </ConfirmDialog>,
  );
  return { onClose, onConfirm, dialog: screen.getByRole('dialog') };
}

test('the second press of an opening double click changes nothing', () => {
  const { onClose, onConfirm, dialog } = openQuestion();
  press(dialog, 2);
  press(screen.getByRole('button', { name: 'Cancel order' }), 2);
  expect(onClose).not.toHaveBeenCalled();
  expect(onConfirm).not.toHaveBeenCalled();
});

test('the second press of an opening double click submits nothing', () => {
  const send = vi.fn((event: FormEvent) => event.preventDefault());
  const actions = (
    <button type="submit" form="restock">
      Add 200
    </button>
  );
  render(
    <Dialog title="Restock" onClose={() => {}} actions={actions}>
      <form id="restock" onSubmit={send} />
    </Dialog>,
  );
  const submit = screen.getByRole('button', { name: 'Add 200' });
  press(submit, 2);
  expect(send).not.toHaveBeenCalled();
  press(submit, 1);
  expect(send).toHaveBeenCalledOnce();
});

test('a double click inside a dialog confirms once', () => {
  const { onConfirm } = openQuestion();
  const confirm = screen.getByRole('button', { name: 'Cancel order' });
  press(confirm, 1);
  press(confirm, 2);
  expect(onConfirm).toHaveBeenCalledOnce();
});

test('a press on the backdrop is the safe answer', () => {
  const { onClose, dialog } = openQuestion();
  press(dialog, 1);
  expect(onClose).toHaveBeenCalledOnce();
});

test('focus returns to the opener', () => {
  render(<button type="button">Open</button>);
  const opener = screen.getByRole('button', { name: 'Open' });
  opener.focus();
  const question = render(
    <Dialog title="Restock" onClose={() => {}} actions={<button data-focus-first type="button" />}>
      Pieces
    </Dialog>,
  );
  expect(opener).not.toHaveFocus();
  question.unmount();
  expect(opener).toHaveFocus();
});

test('focus moves to the heading when the opener is gone', () => {
  render(
    <main>
      <h1>Orders</h1>
    </main>,
  );
  const row = render(<button type="button">Open</button>);
  screen.getByRole('button', { name: 'Open' }).focus();
  const question = render(
    <Dialog title="Restock" onClose={() => {}} actions={<button data-focus-first type="button" />}>
      Pieces
    </Dialog>,
  );
  row.unmount();
  question.unmount();
  expect(screen.getByRole('heading', { name: 'Orders' })).toHaveFocus();
});
