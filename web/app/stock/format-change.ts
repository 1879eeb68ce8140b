import { formatPieces } from '@parts-forge/contract/money';

/** `+5,000`, `−75` */
export const formatChange = (change: number): string =>
  `${change < 0 ? '−' : '+'}${formatPieces(Math.abs(change))}`;
