import { imageVariant } from '@parts-forge/contract/image-variant';
import { useState } from 'react';
import { useRouteLoaderData } from 'react-router';
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
  const widths = usePictureWidths();
  if (image === '' || failed === image) return <MissingPicture label={alt} />;
  const avif = listVariants(image, 'avif', widths);
  const webp = listVariants(image, 'webp', widths);
  return (
    <picture>
      {avif && <source type="image/avif" srcSet={avif} sizes={sizes} />}
      <img
        // A picture can fail before the page is interactive; its event is gone then.
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

/** In which the shop's pictures can be had (`GET /config`). The server renders them into every page. */
const usePictureWidths = (): readonly number[] =>
  useRouteLoaderData<{ pictureWidths: readonly number[] }>('root')?.pictureWidths ?? [];

/** The `srcset` of a picture in all its widths; undefined for one that has only the one. */
function listVariants(image: string, format: 'avif' | 'webp', widths: readonly number[]): string | undefined {
  if (widths.length === 0) return undefined;
  const variants = widths.map((width) => [imageVariant(image, width, format), width] as const);
  return variants.every(([address]) => address !== null)
    ? variants.map(([address, width]) => `${address} ${width}w`).join(', ')
    : undefined;
}
