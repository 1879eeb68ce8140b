import { findMissingSettings } from '#src/invoices/e-invoice.ts';
import { findCurrency } from '#src/platform/core/config/currency.ts';
import type { Country } from '#src/platform/core/config/invoices.ts';
import { type Finding, fails, note, type Visit, works } from './check.ts';

/** The tax of an invoice must also stand in the currency of the seller's country. */
function compareCurrencies({ code, name }: Country, currency: string): Finding[] {
  const own = findCurrency(code);
  if (own === currency) return [];
  return [
    note(
      own === null
        ? `Tax is in ${currency}: make sure that this is the currency of ${name}, which the doctor does not know.`
        : `Tax is in ${currency}, and the currency of ${name} is ${own}: a tax office may ask for the tax in ${own}.`,
    ),
  ];
}

/** The demonstration seller must not take real money. */
export async function checkInvoices({
  config: { seller, tax, isDemoSeller, stripe, currency },
}: Visit): Promise<Finding[]> {
  if (!isDemoSeller) {
    const number = seller.taxId === null ? 'without a tax number' : `with the tax number ${seller.taxId}`;
    const missing = findMissingSettings(seller, tax !== null);
    return [
      works(`Invoices name ${seller.name}, ${seller.address.join(', ')}, ${number}.`),
      missing.length === 0
        ? works('Invoices are e-invoices (Factur-X) for customers whose country is known.')
        : note(`Invoices are no e-invoices: the settings lack ${missing.join(', ')}.`),
      ...(tax === null || !seller.country ? [] : compareCurrencies(seller.country, currency)),
    ];
  }
  const sentence =
    'Invoices name no seller of your own, and none that was issued can be changed: set SELLER_NAME and SELLER_ADDRESS.';
  return [stripe?.secretKey.includes('_live_') ? fails(sentence) : note(sentence)];
}
