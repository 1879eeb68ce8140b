import type { ReactNode } from 'react';
import { ProductPicture } from './product-picture.tsx';

interface ProductCellProps {
  image: string;
  name: ReactNode;
  under?: ReactNode;
}

export function ProductCell({ image, name, under }: ProductCellProps) {
  return (
    <span className="flex items-center gap-4">
      {/* The name stands beside it; an alt text would be read twice. */}
      <span className="pf-tile size-14 shrink-0" aria-hidden="true">
        <ProductPicture image={image} alt="" sizes="3.5rem" />
      </span>
      <span className="min-w-32 [overflow-wrap:anywhere]">
        <span className="block text-balance leading-5">{name}</span>
        {under && (
          <span className="mt-0.5 block text-micro font-normal text-muted [overflow-wrap:anywhere]">
            {under}
          </span>
        )}
      </span>
    </span>
  );
}

export function ProductSummary({
  image,
  name,
  figures,
}: {
  image: string;
  name: string;
  figures: ReactNode;
}) {
  return (
    <div className="my-4 flex items-center gap-4 border-y border-base-300 py-4 text-base-content">
      <span className="pf-tile size-14 shrink-0" aria-hidden="true">
        <ProductPicture image={image} alt="" sizes="3.5rem" />
      </span>
      <div className="min-w-0">
        <p className="text-balance font-medium">{name}</p>
        <p className="num text-sm text-muted">{figures}</p>
      </div>
    </div>
  );
}
