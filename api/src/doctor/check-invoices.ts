import { findMissingSettings } from '#src/invoices/e-invoice.ts';
import { type Finding, fails, note, type Visit, works } from './check.ts';

/** The demonstration seller must not take real money. */
export async function checkInvoices({
  config: { seller, tax, isDemoSeller, stripe },
}: Visit): Promise<Finding[]> {
  if (!isDemoSeller) {
    const number = seller.taxId === null ? 'without a tax number' : `with the tax number ${seller.taxId}`;
    const missing = findMissingSettings(seller, tax !== null);
    return [
      works(`Invoices name ${seller.name}, ${seller.address.join(', ')}, ${number}.`),
      missing.length === 0
        ? works('Invoices are e-invoices (Factur-X) for customers whose country is known.')
        : note(`Invoices are no e-invoices: the settings lack ${missing.join(', ')}.`),
    ];
  }
  const sentence =
    'Invoices name no seller of your own, and none that was issued can be changed: set SELLER_NAME and SELLER_ADDRESS.';
  return [stripe?.secretKey.includes('_live_') ? fails(sentence) : note(sentence)];
}
