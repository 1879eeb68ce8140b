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

/** Each fits in one line of a phone. */
const hints = {
  marks: 'Digits are enough: no + or spaces.',
  rest: 'One number fits. Put the rest in the address.',
};

/** A number field, as specified; a phone number is not a quantity, so nothing but typing changes it. */
export function PhoneField({ disabled, error, registration }: PhoneFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useNoWheel(input);
  const { leftOut, forget } = usePhoneDigits(input);
  const { ref, onBlur, ...rest } = registration;
  // Whoever leaves the field has seen what is in it.
  const leave = deferBlur({ onBlur: (_event: FocusEvent) => forget() });
  const ignoreArrows = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') event.preventDefault();
  };
  return (
    <Field
      label="phone"
      id="phone"
      type="number"
      // To assistive technology a number field is a spin button, which nobody expects here.
      aria-roledescription="phone number"
      inputMode="tel"
      required
      disabled={disabled}
      autoComplete="tel"
      className="[appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none"
      error={error}
      // An error has the line of the hint, which is always there: nothing moves when either comes or goes.
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
