import { share } from '@parts-forge/contract/money/pricing';
import type { CustomerTax } from '@parts-forge/contract/people/users';
import type { TaxConfig } from '#src/platform/core/config/invoices.ts';

/** UNCL 5305 calls them S, Z, E and AE. */
export type TaxCategory = CustomerTax | 'zero';

/** Copied to each paper. */
export interface PaperTax {
  /** Null: the shop had no tax rate. */
  category: TaxCategory | null;
  name: string;
  /** Hundredths of a percent. */
  rate: number;
  /** The seller's sentence for a customer without tax. */
  text: string | null;
  reason: string | null;
}

/** `7.5 %` of 750. */
export const formatRate = (rate: number): string => `${rate / 100} %`;

interface TaxedCustomer {
  tax: CustomerTax;
  taxReason: string;
}

export function findTax(shop: TaxConfig | null, customer: TaxedCustomer): PaperTax {
  if (shop === null) return { category: null, name: '', rate: 0, text: null, reason: null };
  const { name, rate, exemptText: text } = shop;
  if (customer.tax !== 'standard') {
    return { category: customer.tax, name, rate: 0, text, reason: customer.taxReason };
  }
  return { category: rate === 0 ? 'zero' : 'standard', name, rate, text: null, reason: null };
}

interface Taxed {
  totalCents: number;
  taxCents: number;
}

/**
 * Of a note that takes the sum credited from one amount to another. The difference of two rounded shares, so
 * that the taxes of any notes for the whole invoice are together the invoice's. Money beyond it has none.
 */
export function countNoteTax(
  { totalCents, taxCents }: Taxed,
  beforeCents: number,
  afterCents: number,
): number {
  const creditedTax = (cents: number) => share(taxCents, Math.min(cents, totalCents), totalCents);
  return Math.abs(creditedTax(afterCents) - creditedTax(beforeCents));
}
