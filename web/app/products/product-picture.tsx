import { imageVariant } from '@parts-forge/contract/image-variant';
import { useState } from 'react';
import { MissingPart } from '#app/ui/missing-part.tsx';

const widths = [160, 320, 640, 1280] as const;

interface ProductPictureProps {
  /** The product's `image`. Ours come in four widths and two formats; another host's as it is. */
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
  if (image === '' || failed === image) return <MissingPart label={alt} />;
  const set = (format: 'avif' | 'webp') =>
    imageVariant(image, 160, format) === null
      ? undefined
      : widths.map((width) => `${imageVariant(image, width, format)} ${width}w`).join(', ');
  return (
    <picture>
      {set('avif') && <source type="image/avif" srcSet={set('avif')} sizes={sizes} />}
      <img
        // A picture can fail before the page is interactive; its event is gone then.
        ref={(element) => {
          if (element?.complete && element.naturalWidth === 0) setFailed(image);
        }}
        src={imageVariant(image, 640, 'webp') ?? image}
        srcSet={set('webp')}
        sizes={set('webp') && sizes}
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
