/** Numbered separately. Imports nothing, so that a first page loads no validation library. */
export const SERIES = ['invoice', 'credit-note', 'debit-note'] as const;
export type Series = (typeof SERIES)[number];

export const papers: Record<Series, { name: string; prefix: string }> = {
  invoice: { name: 'Invoice', prefix: '' },
  'credit-note': { name: 'Credit note', prefix: 'CN-' },
  'debit-note': { name: 'Debit note', prefix: 'DN-' },
};

export interface PaperNumber {
  series: Series;
  year: number;
  sequence: number;
}

/** `2026-00001`, `CN-2026-00001` or `DN-2026-00001`. */
export const formatNumber = ({ series, year, sequence }: PaperNumber): string =>
  `${papers[series].prefix}${year}-${String(sequence).padStart(5, '0')}`;

/** What a paper must know to be an e-invoice; without one of them it is a PDF alone. */
export const E_INVOICE_FACTS = [
  "the seller's country",
  "the seller's tax number",
  'a tax rate',
  "the customer's country",
] as const;
export type EInvoiceFact = (typeof E_INVOICE_FACTS)[number];
