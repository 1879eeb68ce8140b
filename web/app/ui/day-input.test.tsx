import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { DayInput } from './day-input.tsx';

function renderDay(day = '') {
  const onChoose = vi.fn();
  const page = render(<DayInput id="day" className="" day={day} onChoose={onChoose} />);
  const field = document.getElementById('day') as HTMLInputElement;
  const type = (value: string) => {
    fireEvent.keyDown(field, { key: value.at(-1) ?? '' });
    fireEvent.change(field, { target: { value } });
  };
  const show = (next: string) =>
    page.rerender(<DayInput id="day" className="" day={next} onChoose={onChoose} />);
  return { field, type, show, onChoose };
}

/** Chromium's reports while the user types a year. */
const years = ['0002-11-22', '0020-11-22', '0202-11-22', '2026-11-22'];

test.each([
  ['Enter', (field: HTMLElement) => fireEvent.keyDown(field, { key: 'Enter' })],
  ['leaving the field', (field: HTMLElement) => fireEvent.blur(field)],
])('a typed day counts once, with %s', (_how, finish) => {
  const { field, type, onChoose } = renderDay();
  for (const value of years) type(value);
  expect(onChoose).not.toHaveBeenCalled();
  finish(field);
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('2026-11-22');
});

test('a day long ago is half-typed: it stays and does not count', () => {
  const { field, type, onChoose } = renderDay('2026-11-20');
  type('0002-11-22');
  fireEvent.blur(field);
  expect(onChoose).not.toHaveBeenCalled();
  expect(field).toHaveValue('0002-11-22');
});

test('leaving an unchanged field chooses nothing, emptying it no day', () => {
  const { field, type, onChoose } = renderDay('2026-11-20');
  fireEvent.blur(field);
  expect(onChoose).not.toHaveBeenCalled();
  type('');
  fireEvent.blur(field);
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('');
});

test('a day that is picked with the pointer counts at once', () => {
  const { field, onChoose } = renderDay();
  fireEvent.change(field, { target: { value: '2026-11-22' } });
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('2026-11-22');
});

test('a day set from outside is shown and keeps the focus', () => {
  const { field, type, show } = renderDay();
  field.focus();
  type('2026-11-22');
  show('2026-11-02');
  expect(screen.getByDisplayValue('2026-11-02')).toBe(field);
  expect(field).toHaveFocus();
});
