import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { readInstead } from '@parts-forge/contract/products/instead';
import { partPath } from '@parts-forge/contract/products/part-rules';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { callShop } from '#app/calls/api-client.ts';

interface FitsInsteadProps {
  productId: string;
  quantity: number;
}

/** What fits instead of a part that cannot be ordered again, by number. */
export function FitsInstead({ productId, quantity }: FitsInsteadProps) {
  const { data } = useQuery({
    queryKey: ['products', 'instead', productId, quantity],
    queryFn: ({ signal }) =>
      callShop(readInstead, { params: { id: productId }, query: { quantity: String(quantity) }, signal }),
  });
  const others = data?.data.instead.filter((other) => other.quantity > 0) ?? [];
  if (others.length === 0) return null;
  return (
    <span className="num leading-6">
      .
      {others.map(({ product, fits, of }) => (
        <Fragment key={product._id}>
          {' '}
          <Link className="pf-link" to={partPath(product)} title={product.name}>
            {product.number}
          </Link>{' '}
          fits instead{of > 0 && `, ${formatPieces(fits)} of ${formatCount(of, 'model')}`}.
        </Fragment>
      ))}
    </span>
  );
}
