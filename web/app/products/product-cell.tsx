import type { ReactNode } from 'react';
import { Thumbnail } from './thumbnail.tsx';

interface ProductCellProps {
  image: string;
  name: ReactNode;
  under?: ReactNode;
}

export function ProductCell({ image, name, under }: ProductCellProps) {
  return (
    <span className="flex items-center gap-4">
      <Thumbnail image={image} />
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
      <Thumbnail image={image} />
      <div className="min-w-0">
        <p className="text-balance font-medium">{name}</p>
        <p className="num text-sm text-muted">{figures}</p>
      </div>
    </div>
  );
}
