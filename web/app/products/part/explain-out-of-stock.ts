import { formatPieces } from '@parts-forge/contract/money/money';
import type { Product } from '@parts-forge/contract/products/products';

export const explainOutOfStock = ({ minimumOrder }: Pick<Product, 'minimumOrder'>): string =>
  `Fewer pieces are left than the minimum order of ${formatPieces(minimumOrder)}. This part can be ordered again when stock arrives.`;
