import { fireEvent } from '@testing-library/react';
import type { FocusEvent } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { deferBlur } from './defer-blur.ts';

beforeEach(() => void vi.useFakeTimers());

function press() {
  const check = vi.fn();
  const { onBlur } = deferBlur({ onBlur: check });
  fireEvent.pointerDown(document.body);
  onBlur({ target: document.createElement('input') } as unknown as FocusEvent);
  vi.advanceTimersByTime(1000);
  expect(check).not.toHaveBeenCalled();
  return check;
}

test.each(['click', 'pointerup', 'pointercancel', 'contextmenu'])(
  'a field that a press left is checked on %s',
  (end) => {
    const check = press();
    fireEvent(document.body, new Event(end, { bubbles: true }));
    vi.advanceTimersByTime(500);
    expect(check).toHaveBeenCalledOnce();
  },
);

test('a field that was emptied by a submit is not checked', () => {
  const check = vi.fn();
  const field = document.createElement('input');
  field.value = 'Amara';
  fireEvent.pointerDown(document.body);
  deferBlur({ onBlur: check }).onBlur({ target: field } as unknown as FocusEvent);
  field.value = '';
  fireEvent.click(document.body);
  vi.advanceTimersByTime(500);
  expect(check).not.toHaveBeenCalled();
});
