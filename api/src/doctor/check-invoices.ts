import { type Finding, fails, note, type Visit, works } from './check.ts';

/** The demonstration seller must not take real money. */
export async function checkInvoices({ config: { seller, isDemoSeller, stripe } }: Visit): Promise<Finding[]> {
  if (!isDemoSeller) {
    const number = seller.taxId === null ? 'without a tax number' : `with the tax number ${seller.taxId}`;
    return [works(`Invoices name ${seller.name}, ${seller.address.join(', ')}, ${number}.`)];
  }
  const sentence =
    'Invoices name no seller of your own, and none that was issued can be changed: set SELLER_NAME and SELLER_ADDRESS.';
  return [stripe?.secretKey.includes('_live_') ? fails(sentence) : note(sentence)];
}
