import type { ReactNode } from 'react';
import { ProductPicture } from './product-picture.tsx';

interface RowPartProps {
  image: string;
  size?: 'size-8' | 'size-10';
  /** In one line that ends in "…". */
  children: ReactNode;
}

/** The part's cell of a `WorkTable`. */
export const RowPart = ({ image, size = 'size-8', children }: RowPartProps) => (
  <span>
    {/* The name stands beside it; an alt text would be read twice. */}
    <span className={`pf-tile shrink-0 ${size}`} aria-hidden="true">
      <ProductPicture image={image} alt="" sizes="2.5rem" />
    </span>
    <span>{children}</span>
  </span>
);
