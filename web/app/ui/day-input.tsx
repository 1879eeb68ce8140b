import { useEffect, useRef } from 'react';

/** The shop is younger; a day before it is one whose year is not whole yet. */
const FIRST_DAY = '2000-01-01';

interface DayInputProps {
  id: string;
  /** `2026-11-21`; empty for none. */
  day: string;
  /** Gets a day from the year 2000 on that is another one than `day`, or an empty text for none. */
  onChoose: (day: string) => void;
  className: string;
}

/**
 * A day that is typed or picked. While one types, the browser reports a day with each digit of the year (`0002-11-22`),
 * so what is typed counts once the field is left or with Enter; a day that is picked with the pointer counts at once.
 */
export function DayInput({ id, day, onChoose, className }: DayInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const isTyping = useRef(false);
  useEffect(() => {
    // Another day came from elsewhere, such as a link. The element stays, and with it the focus.
    if (field.current) field.current.value = day;
  }, [day]);
  const choose = ({ value, validity }: HTMLInputElement) => {
    isTyping.current = false;
    // A half-typed day has an empty value, too, but is not valid.
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
      // Without it the year has six digits, and one has to leave it by hand.
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
