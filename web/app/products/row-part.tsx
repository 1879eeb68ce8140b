import type { ReactNode } from 'react';
import { Thumbnail } from './thumbnail.tsx';

interface RowPartProps {
  image: string;
  size?: 'size-8' | 'size-10';
  /** In one line that ends in "…". */
  children: ReactNode;
}

/** The part's cell of a `WorkTable`. */
export const RowPart = ({ image, size = 'size-8', children }: RowPartProps) => (
  <span>
    <Thumbnail image={image} size={size} />
    <span>{children}</span>
  </span>
);
