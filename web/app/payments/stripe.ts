import type { PageConfig } from '@parts-forge/contract/identity';
import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';

const loading = new Map<string, Promise<Stripe>>();

/**
 * The card payment provider's script, ready to use.
 *
 * Stripe's own script comes from Stripe. A shop without an account names the sandbox's stand-in in `scriptUrl`;
 * that script defines `window.Stripe`, which `loadStripe` then takes. Called again it gives the same promise, but
 * after a failure it tries anew. Await the result before giving it to `<Elements>`, which cannot show that a promise
 * was rejected.
 * @throws Error when a script cannot be loaded
 */
export function loadPaymentProvider(config: PageConfig['payments']): Promise<Stripe> {
  const underWay = loading.get(config.publishableKey);
  if (underWay) return underWay;
  const provider = load(config).catch((error: unknown) => {
    loading.delete(config.publishableKey);
    throw error;
  });
  loading.set(config.publishableKey, provider);
  return provider;
}

async function load({ scriptUrl, publishableKey }: PageConfig['payments']): Promise<Stripe> {
  if (scriptUrl === null && !wasLoadedToPay()) return loadDocumentAnew();
  if (scriptUrl !== null && !('Stripe' in window)) await loadScript(scriptUrl);
  const stripe = await loadStripe(publishableKey);
  // `loadStripe` gives null only where there is no window.
  if (!stripe) throw new Error('The card form works in a browser only.');
  return stripe;
}

/**
 * Whether this document was loaded at the address of a payment, of one order or of several. Only such a one may load Stripe's script: a content
 * policy belongs to the document, and links within the shop keep the document.
 */
function wasLoadedToPay(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation === undefined || /^\/dashboard\/payment(\/|$)/.test(new URL(navigation.name).pathname);
}

/** Nobody waits for the end: with the document everything ends. */
function loadDocumentAnew(): Promise<never> {
  window.location.reload();
  return new Promise(() => {});
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
