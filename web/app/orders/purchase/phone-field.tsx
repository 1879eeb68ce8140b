import { type FocusEvent, type KeyboardEvent, useRef } from 'react';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { Field } from '#app/ui/field.tsx';
import { useNoWheel } from '#app/ui/use-no-wheel.ts';
import type { DeliveryForm } from './delivery-form.ts';
import { usePhoneDigits } from './use-phone-digits.ts';

interface PhoneFieldProps {
  disabled: boolean;
  error: string | undefined;
  registration: ReturnType<DeliveryForm['register']>;
}

/** Each fits on one line of a phone. */
const hints = {
  marks: 'Digits are enough: no + or spaces.',
  rest: 'One number fits. Put the rest in the address.',
};

/** A number input (specification); arrow keys and the wheel must not change a phone number. */
export function PhoneField({ disabled, error, registration }: PhoneFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useNoWheel(input);
  const { leftOut, forget } = usePhoneDigits(input);
  const { ref, onBlur, ...rest } = registration;
  // On leaving, the customer has seen the content.
  const leave = deferBlur({ onBlur: (_event: FocusEvent) => forget() });
  const ignoreArrows = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') event.preventDefault();
  };
  return (
    <Field
      label="phone"
      id="phone"
      type="number"
      // Screen readers would announce a number input as a spin button.
      aria-roledescription="phone number"
      inputMode="tel"
      required
      disabled={disabled}
      autoComplete="tel"
      className="[appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none"
      error={error}
      // An error takes the hint's permanent line, so nothing moves.
      hint={!error && (leftOut ? hints[leftOut] : '\u00a0')}
      onKeyDown={ignoreArrows}
      onBlur={(event) => {
        void onBlur(event);
        leave.onBlur(event);
      }}
      ref={(element) => {
        input.current = element;
        ref(element);
      }}
      {...rest}
    />
  );
}
