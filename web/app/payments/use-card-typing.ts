import type { StripePaymentElementChangeEvent } from '@stripe/stripe-js';
import { useRef } from 'react';

/**
 * The provider also reports its own changes, after a declined card or a new theme; then the fields lack the
 * focus or repeat their state.
 * @returns props for the provider's element
 */
export function useCardTyping(onType: () => void) {
  const hasFocus = useRef(false);
  const lastState = useRef('');
  return {
    onFocus: () => {
      hasFocus.current = true;
      // A correction repeats the state, so the first change after focus counts.
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
