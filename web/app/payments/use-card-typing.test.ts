import type { StripePaymentElementChangeEvent } from '@stripe/stripe-js';
import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useCardTyping } from './use-card-typing.ts';

/** The provider's report of a partly typed card number. */
const incomplete = {
  empty: false,
  complete: false,
  value: { type: 'card' },
} as StripePaymentElementChangeEvent;

function renderTyping() {
  const onType = vi.fn();
  const { result } = renderHook(useCardTyping, { initialProps: onType });
  return { field: result.current, onType };
}

test('correcting an incomplete card counts as typing', () => {
  const { field, onType } = renderTyping();
  field.onFocus();
  field.onChange(incomplete);
  field.onBlur();
  onType.mockClear();
  field.onFocus();
  field.onChange(incomplete);
  expect(onType).toHaveBeenCalledOnce();
});

test("the provider's own reports do not count", () => {
  const { field, onType } = renderTyping();
  field.onFocus();
  field.onChange(incomplete);
  onType.mockClear();
  field.onChange(incomplete);
  field.onBlur();
  field.onChange({ ...incomplete, complete: true });
  expect(onType).not.toHaveBeenCalled();
});
