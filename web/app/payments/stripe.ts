import type { PageConfig } from '@parts-forge/contract/people/identity';
import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';

const loading = new Map<string, Promise<Stripe>>();

/**
 * Loads Stripe's script, or the sandbox's `scriptUrl`, which defines `window.Stripe` for `loadStripe`.
 * Repeated calls share the promise, after a failure a new one. Await it before `<Elements>`, which cannot
 * show a rejection.
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
  // `loadStripe` returns null only without a window.
  if (!stripe) throw new Error('The card form works in a browser only.');
  return stripe;
}

/**
 * Only a document loaded at a payment's address may load Stripe's script: links within the shop keep the
 * document, and with it the content security policy.
 */
function wasLoadedToPay(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation === undefined || /^\/dashboard\/payment(\/|$)/.test(new URL(navigation.name).pathname);
}

/** Never settles, as the document ends. */
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
