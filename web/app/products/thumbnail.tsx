import { ProductPicture } from './product-picture.tsx';

/** The name stands beside it; an alt text would be read twice. */
export const Thumbnail = ({ image, size = 'size-14' }: { image: string; size?: string }) => (
  <span className={`pf-tile shrink-0 ${size}`} aria-hidden="true">
    <ProductPicture image={image} alt="" sizes="5rem" />
  </span>
);
