import type { PageConfig } from '@parts-forge/contract/identity';
import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';

const loading = new Map<string, Promise<Stripe>>();

/**
 * The card payment provider's script, ready to use.
 *
 * Stripe's own script comes from Stripe. A shop without an account names the sandbox's stand-in in `scriptUrl`;
 * that script defines `window.Stripe`, which `loadStripe` then takes. Asked again it gives the same promise; a
 * failed try is forgotten, so that a retry button may ask anew. Catch the rejection before handing the result to
 * `<Elements>`: a rejected promise there is a dead form.
 * @throws Error when a script cannot be loaded
 */
export function loadPaymentProvider(config: PageConfig['payments']): Promise<Stripe> {
  const kept = loading.get(config.publishableKey);
  if (kept) return kept;
  const started = load(config).catch((error: unknown) => {
    loading.delete(config.publishableKey);
    throw error;
  });
  loading.set(config.publishableKey, started);
  return started;
}

async function load({ scriptUrl, publishableKey }: PageConfig['payments']): Promise<Stripe> {
  if (scriptUrl !== null && !('Stripe' in window)) await loadScript(scriptUrl);
  const stripe = await loadStripe(publishableKey);
  // `loadStripe` gives null only where there is no window.
  if (!stripe) throw new Error('The card form works in a browser only.');
  return stripe;
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error('Failed to load the card form.'));
    };
    document.head.append(script);
  });
}
