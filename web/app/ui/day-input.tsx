import { useEffect, useRef } from 'react';

/** Older than the shop; an earlier day has a half-typed year. */
const FIRST_DAY = '2000-01-01';

interface DayInputProps {
  id: string;
  /** `2026-11-21`; empty for none. */
  day: string;
  /** Receives a day from 2000 on, or an empty text. */
  onChoose: (day: string) => void;
  className: string;
}

/**
 * While the user types, the browser reports a day for each digit of the year (`0002-11-22`). A typed day
 * therefore counts on leaving the field or on Enter.
 */
export function DayInput({ id, day, onChoose, className }: DayInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const isTyping = useRef(false);
  useEffect(() => {
    // A remount would lose the focus.
    if (field.current) field.current.value = day;
  }, [day]);
  const choose = ({ value, validity }: HTMLInputElement) => {
    isTyping.current = false;
    // A half-typed day also has an empty value, but is not valid.
    const isWhole = value === '' ? validity.valid : value >= FIRST_DAY;
    if (isWhole && value !== day) onChoose(value);
  };
  return (
    <input
      ref={field}
      id={id}
      type="date"
      className={className}
      defaultValue={day}
      min={FIRST_DAY}
      // Otherwise the year has six digits.
      max="9999-12-31"
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') choose(currentTarget);
        else isTyping.current = true;
      }}
      onChange={({ currentTarget }) => {
        if (!isTyping.current) choose(currentTarget);
      }}
      onBlur={({ currentTarget }) => choose(currentTarget)}
    />
  );
}
