import { useState } from 'react';
import { ProductPicture } from '#app/products/product-picture.tsx';

export function PartPictures({ name, images }: { name: string; images: readonly string[] }) {
  const [chosen, setChosen] = useState(0);
  const shown = Math.min(chosen, images.length - 1);
  const hasSeveral = images.length > 1;
  return (
    <section
      aria-label="Pictures"
      className={`grid gap-3 self-start ${hasSeveral ? 'sm:grid-cols-[5rem_minmax(0,1fr)]' : ''}`.trimEnd()}
    >
      <div className="pf-tile pf-corners sm:order-2">
        <ProductPicture
          key={images[shown]}
          image={images[shown] ?? ''}
          alt={shown === 0 ? name : `${name}, picture ${shown + 1}`}
          sizes="(width >= 80rem) 43rem, (width >= 64rem) 50vw, 100vw"
          eager
        />
      </div>
      {hasSeveral && (
        <ul className="flex gap-3 sm:flex-col">
          {images.map((image, index) => (
            <li key={image} className="w-20 max-sm:min-w-0">
              <button
                type="button"
                className={`pf-tile w-full cursor-pointer ${index === shown ? 'outline-2 outline-base-content' : 'outline outline-base-300 hover:outline-base-content'}`}
                aria-pressed={index === shown}
                aria-label={`Picture ${index + 1} of ${images.length}`}
                onClick={() => setChosen(index)}
              >
                <ProductPicture image={image} alt="" sizes="5rem" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
