import { formatPieces } from '@parts-forge/contract/money/money';
import { readInstead } from '@parts-forge/contract/products/instead';
import { partPath } from '@parts-forge/contract/products/part-rules';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { callShop } from '#app/calls/api-client.ts';

interface FitsInsteadProps {
  productId: string;
  quantity: number;
}

/** The first part that fits instead of one that cannot be ordered again, by its number. */
export function FitsInstead({ productId, quantity }: FitsInsteadProps) {
  const { data } = useQuery({
    queryKey: ['products', 'instead', productId, quantity],
    queryFn: ({ signal }) =>
      callShop(readInstead, { params: { id: productId }, query: { quantity: String(quantity) }, signal }),
  });
  const other = data?.data.instead.find((each) => each.quantity > 0);
  if (!other) return null;
  const { product, fits, of } = other;
  return (
    <span className="num">
      .{' '}
      <Link className="pf-link" to={partPath(product)} title={product.name}>
        {product.number}
      </Link>{' '}
      fits instead{of > 0 && `, ${formatPieces(fits)} of ${formatPieces(of)} models`}.
    </span>
  );
}
