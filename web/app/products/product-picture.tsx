import { imageVariant } from '@parts-forge/contract/products/image-variant';
import { useState } from 'react';
import { MissingPicture } from '#app/ui/missing-picture.tsx';
import { usePageSettings } from '#app/ui/shop.tsx';

interface ProductPictureProps {
  /** The shop's own pictures have several widths and two formats; others have one. */
  image: string;
  alt: string;
  /** The `sizes` of the image: `(width >= 40rem) 20rem, 6.5rem`. */
  sizes: string;
  /** Load it at once. */
  eager?: boolean;
}

/** Becomes a plain drawing when loading fails. */
export function ProductPicture({ image, alt, sizes, eager = false }: ProductPictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const { pictureWidths: widths } = usePageSettings();
  if (image === '' || failed === image) return <MissingPicture label={alt} />;
  const avif = listVariants(image, 'avif', widths);
  const webp = listVariants(image, 'webp', widths);
  return (
    <picture>
      {avif && <source type="image/avif" srcSet={avif} sizes={sizes} />}
      <img
        // The picture may have failed before hydration, without its error event.
        ref={(element) => {
          if (element?.complete && element.naturalWidth === 0) setFailed(image);
        }}
        src={(widths.includes(640) && imageVariant(image, 640, 'webp')) || image}
        srcSet={webp}
        sizes={webp && sizes}
        width={640}
        height={640}
        alt={alt}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding="async"
        onError={() => setFailed(image)}
      />
    </picture>
  );
}

/** Undefined for a picture with one width. */
function listVariants(image: string, format: 'avif' | 'webp', widths: readonly number[]): string | undefined {
  if (widths.length === 0) return undefined;
  const variants = widths.map((width) => [imageVariant(image, width, format), width] as const);
  return variants.every(([address]) => address !== null)
    ? variants.map(([address, width]) => `${address} ${width}w`).join(', ')
    : undefined;
}
