import { type FocusEvent, useRef } from 'react';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { Field } from '#app/ui/field.tsx';
import type { DeliveryForm } from './delivery-form.ts';
import { hints, usePhoneDigits } from './use-phone-digits.ts';

interface PhoneFieldProps {
  disabled: boolean;
  error: string | undefined;
  registration: ReturnType<DeliveryForm['register']>;
}

/** Keeps marks as typed; the form sends the digits. */
export function PhoneField({ disabled, error, registration }: PhoneFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const { leftOut, forget } = usePhoneDigits(input);
  const { ref, onBlur, ...rest } = registration;
  // On leaving, the customer has seen the content.
  const leave = deferBlur({ onBlur: (_event: FocusEvent) => forget() });
  return (
    <Field
      label="phone"
      id="phone"
      type="tel"
      inputMode="tel"
      required
      disabled={disabled}
      autoComplete="tel"
      error={error}
      // An error takes the hint's permanent line, so nothing moves.
      hint={!error && (leftOut ? hints[leftOut] : 'For the carrier.')}
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
