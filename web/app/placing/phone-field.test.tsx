import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useDeliveryForm } from './delivery-form.ts';
import { PhoneField } from './phone-field.tsx';
import { askAboutPhone } from './use-phone-digits.ts';

function Form() {
  const form = useDeliveryForm();
  return <PhoneField disabled={false} error={undefined} registration={form.register('phone')} />;
}

test.each([
  ['020 7946 0958 x12', 'One number fits. Put the rest in the address.'],
  ['+44 (0)20 7946 0958', 'Leave “(0)” out, or write the number as dialled at home.'],
  ['0044 ( 0 ) 20 7946 0958', 'Leave “(0)” out, or write the number as dialled at home.'],
  ['+44 （0）20 7946 0958', 'Leave “(0)” out, or write the number as dialled at home.'],
  ['+44 20 7946-0958', null],
  ['(0)20 7946 0958', null],
])('a typed %s is asked about: %s', (typed, question) => {
  expect(askAboutPhone(typed)).toBe(question);
});

test.each([
  ['0113 496 0000 ext. 12', 'One number fits. Put the rest in the address.'],
  ['0113 496 0000', 'Pasted as digits: no + or spaces.'],
])('a hint says what is left out of a pasted "%s": %s', async (text, hint) => {
  render(<Form />);
  const insert = vi.fn(() => true);
  document.execCommand = insert;
  const clipboardData = { getData: () => text };
  fireEvent.paste(screen.getByLabelText('phone'), { clipboardData });
  expect(insert).toHaveBeenCalledWith('insertText', false, '01134960000');
  expect(screen.getByText(hint)).toBeVisible();
});
