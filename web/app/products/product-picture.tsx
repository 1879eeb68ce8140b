import { IMAGE_WIDTHS } from '@parts-forge/contract/bounds';
import { imageVariant } from '@parts-forge/contract/image-variant';
import { useState } from 'react';
import { MissingPicture } from '#app/ui/missing-picture.tsx';

interface ProductPictureProps {
  /** The product's `image`. Ours come in several widths and two formats; another host's as it is. */
  image: string;
  alt: string;
  /** How wide it is shown, as the `sizes` of an image: `(width >= 40rem) 20rem, 6.5rem`. */
  sizes: string;
  /** The page's main picture: load it at once. */
  eager?: boolean;
}

/** A product's picture for a `.pf-tile`; the plain drawing of a part when it cannot be loaded. */
export function ProductPicture({ image, alt, sizes, eager = false }: ProductPictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  if (image === '' || failed === image) return <MissingPicture label={alt} />;
  const avif = listVariants(image, 'avif');
  const webp = listVariants(image, 'webp');
  return (
    <picture>
      {avif && <source type="image/avif" srcSet={avif} sizes={sizes} />}
      <img
        // A picture can fail before the page is interactive; its event is gone then.
        ref={(element) => {
          if (element?.complete && element.naturalWidth === 0) setFailed(image);
        }}
        src={imageVariant(image, 640, 'webp') ?? image}
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

/** The `srcset` of our own picture in all its widths; undefined for another host's, which has only the one. */
function listVariants(image: string, format: 'avif' | 'webp'): string | undefined {
  const variants = IMAGE_WIDTHS.map((width) => [imageVariant(image, width, format), width] as const);
  return variants.every(([address]) => address !== null)
    ? variants.map(([address, width]) => `${address} ${width}w`).join(', ')
    : undefined;
}
