import { formatPieces } from '@parts-forge/contract/money/money';
import { cardDescription, isAvailable, partPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { Link } from 'react-router';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { StatusChip } from '#app/ui/status-chip.tsx';
import { taxWords, useOwnPrice } from '#app/users/own-prices.ts';
import { describeFits } from './describe-fits.ts';
import { Expected } from './expected.tsx';
import { isOwnPrice, PartPrice } from './part-price.tsx';
import { ProductPicture } from './product-picture.tsx';

interface ProductCardProps {
  product: Product;
  level: 2 | 3;
  /** The picture is near the top: load it at once. */
  eager?: boolean;
}

/** Specification §2, "Product card". On phones picture and text stand side by side. */
export function ProductCard({ product, level, eager = false }: ProductCardProps) {
  const Heading = `h${level}` as const;
  const { _id, name, number, description, image, fits } = product;
  return (
    <li className="group/card relative flex flex-col bg-base-100 transition-colors">
      <div className="grid gap-4 max-sm:grid-cols-[6.5rem_minmax(0,1fr)] sm:block">
        <div className="relative">
          <div className="pf-tile pf-corners max-sm:after:!inset-1.5 [&_img]:transition-transform [&_img]:duration-300 motion-safe:group-hover/card:[&_img]:scale-[1.04]">
            <ProductPicture
              image={image}
              alt={name}
              sizes="(width >= 80rem) 18.5rem, (width >= 64rem) 30vw, (width >= 40rem) 45vw, 6.5rem"
              eager={eager}
            />
          </div>
          {!isAvailable(product) && (
            <StatusChip status="stop" className="absolute left-5 top-5 max-sm:static max-sm:mt-2">
              Out of stock
            </StatusChip>
          )}
        </div>
        <div className="max-sm:min-h-28 sm:mt-5">
          <Heading className="text-balance text-h4 font-semibold tracking-[-0.005em]">
            <Link
              to={partPath(product)}
              className="inline-block max-w-full py-px hover:text-primary hover:underline"
            >
              {name}
            </Link>
          </Heading>
          <p className="num line-clamp-1 text-sm text-muted [overflow-wrap:anywhere]">
            <span>{number}</span>
            {fits.length > 0 && <span>{` · ${describeFits(fits, 1)}`}</span>}
          </p>
          <p className="mt-1 text-sm text-muted sm:min-h-[3.75rem]">{cardDescription(description)}</p>
        </div>
      </div>
      <CardFigures product={product} />
      <Link
        to={`/purchase/${_id}`}
        className={getButtonClasses('line', 'action', 'mt-3 w-full group-hover/card:border-base-content')}
        aria-label={`Order Now: ${name}`}
      >
        Order Now
      </Link>
    </li>
  );
}

function CardFigures({ product }: Pick<ProductCardProps, 'product'>) {
  const { quantity, minimumOrder } = product;
  const own = useOwnPrice([product])(product);
  return (
    <dl className="pf-spec mt-auto pt-4">
      <div>
        <dt>
          {isOwnPrice(own) ? 'Your price' : 'Price'}
          {taxWords(own)}
        </dt>
        <dd className="price">
          <PartPrice part={own} />
        </dd>
      </div>
      <div>
        <dt>Quantity</dt>
        <dd>
          <Expected product={product} />
          {formatPieces(quantity)}
        </dd>
      </div>
      <div>
        <dt>Minimum Order</dt>
        <dd>{formatPieces(minimumOrder)}</dd>
      </div>
    </dl>
  );
}

/** As high as a card. */
export function ProductCardSkeleton() {
  return (
    <li aria-hidden="true" className="grid gap-4 sm:gap-5">
      <Skeleton className="h-28 !rounded-field sm:aspect-square sm:h-auto" />
      <Skeleton className="h-56 !rounded-field sm:h-80" />
    </li>
  );
}
