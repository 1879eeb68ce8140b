import type { StripePaymentElementChangeEvent } from '@stripe/stripe-js';
import { useRef } from 'react';

/**
 * Tells when somebody types another card. The provider reports a change also when it has looked at its fields itself,
 * such as after a card was declined or when the theme changes: then the fields do not have the focus, or are as they
 * were reported before.
 * @returns for the provider's element
 */
export function useCardTyping(onType: () => void) {
  const hasFocus = useRef(false);
  const lastState = useRef('');
  return {
    onFocus: () => {
      hasFocus.current = true;
      // An incomplete card is reported with the same words while it is corrected: the first change from here on counts.
      lastState.current = '';
    },
    onBlur: () => {
      hasFocus.current = false;
    },
    onChange: ({ empty, complete, value }: StripePaymentElementChangeEvent) => {
      const state = `${empty} ${complete} ${value.type}`;
      const hasChanged = state !== lastState.current;
      lastState.current = state;
      if (hasChanged && hasFocus.current) onType();
    },
  };
}
