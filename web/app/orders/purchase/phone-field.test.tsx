import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { useDeliveryForm } from './delivery-form.ts';
import { PhoneField } from './phone-field.tsx';

function Form() {
  const form = useDeliveryForm();
  return <PhoneField disabled={false} error={undefined} registration={form.register('phone')} />;
}

test("the hint's line is there before and after the hint", async () => {
  render(<Form />);
  const field = screen.getByLabelText('phone');
  const line = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(line).toHaveTextContent('');
  fireEvent(field, new InputEvent('beforeinput', { data: '+', cancelable: true, bubbles: true }));
  expect(line).toHaveTextContent('Digits are enough: no + or spaces.');
  fireEvent.blur(field);
  expect(line).toBeInTheDocument();
  expect(line).toHaveTextContent('');
});

test('a typed mark shows a hint until the field is left', async () => {
  render(<Form />);
  const user = userEvent.setup({ delay: null });
  const field = screen.getByLabelText('phone');
  const hint = 'Digits are enough: no + or spaces.';
  await user.click(field);
  fireEvent(field, new InputEvent('beforeinput', { data: '+', cancelable: true, bubbles: true }));
  expect(screen.getByText(hint)).toBeVisible();
  await user.type(field, '447700900123');
  expect(screen.getByText(hint)).toBeVisible();
  await user.tab();
  expect(screen.queryByText(hint)).not.toBeInTheDocument();
});

test('a pasted extension is dropped, with a hint to use the address', async () => {
  render(<Form />);
  const insert = vi.fn(() => true);
  document.execCommand = insert;
  const clipboardData = { getData: () => '0113 496 0000 ext. 12' };
  fireEvent.paste(screen.getByLabelText('phone'), { clipboardData });
  expect(insert).toHaveBeenCalledWith('insertText', false, '01134960000');
  expect(screen.getByText('One number fits. Put the rest in the address.')).toBeVisible();
});
