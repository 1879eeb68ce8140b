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
