import { formatPieces } from '@parts-forge/contract/money/money';
import { isAvailable, partPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { Link } from 'react-router';
import { Expected } from '#app/products/expected.tsx';
import { PartPrice } from '#app/products/part-price.tsx';
import { ProductPicture } from '#app/products/product-picture.tsx';
import { getButtonClasses } from '#app/ui/button.tsx';
import { StatusChip } from '#app/ui/status-chip.tsx';
import { taxWords, useOwnPrice } from '#app/users/own-prices.ts';

interface RelatedPartsProps {
  title: string;
  parts: readonly Product[];
}

export function RelatedParts({ title, parts }: RelatedPartsProps) {
  if (parts.length === 0) return null;
  return (
    <section className="mt-16 border-t border-base-300 pt-12" aria-labelledby="related-heading">
      <h2 id="related-heading" className="display mb-6 text-h2">
        {title}
      </h2>
      <ul className="grid gap-8 md:grid-cols-3">
        {parts.map((part) => (
          <RelatedPart key={part._id} part={part} />
        ))}
      </ul>
    </section>
  );
}

function RelatedPart({ part }: { part: Product }) {
  const { _id, name, number, image, minimumOrder } = part;
  const own = useOwnPrice([part])(part);
  return (
    <li className="grid grid-cols-[6.5rem_minmax(0,1fr)] grid-rows-[1fr_auto] items-start gap-x-5 gap-y-4">
      <div className="pf-tile pf-corners after:!inset-1.5">
        <ProductPicture image={image} alt="" sizes="6.5rem" />
      </div>
      <div className="min-w-0">
        <h3 className="text-h4 font-semibold [overflow-wrap:anywhere]">
          <Link className="hover:text-primary hover:underline" to={partPath(part)}>
            {name}
          </Link>
        </h3>
        <p className="num text-sm text-muted">{number}</p>
        <p className="num mt-2">
          <span className="font-semibold">
            <PartPrice part={own} />
          </span>
          {taxWords(own)}{' '}
          <span className="whitespace-nowrap text-sm text-muted">from {formatPieces(minimumOrder)}</span>
        </p>
        {!isAvailable(part) && (
          <p className="flex flex-wrap items-center gap-x-2">
            <StatusChip status="stop">Out of stock</StatusChip>
            <Expected product={part} />
          </p>
        )}
      </div>
      <Link
        to={`/purchase/${_id}`}
        className={getButtonClasses('line', 'bar', 'col-span-2')}
        aria-label={`Order Now: ${name}`}
      >
        Order Now
      </Link>
    </li>
  );
}
