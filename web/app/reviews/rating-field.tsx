import { MAX_RATING, MIN_RATING } from '@parts-forge/contract/calls/bounds';
import { RATINGS } from '@parts-forge/contract/products/reviews';
import { useId, useState } from 'react';
import { StarRow } from '#app/ui/stars.tsx';

interface RatingFieldProps {
  value: number;
  onChange: (value: number) => void;
}

/** Nine radio buttons over a row of stars, for mouse, touch and arrow keys. */
export function RatingField({ value, onChange }: RatingFieldProps) {
  const id = useId();
  const [hovered, setHovered] = useState<number | null>(null);
  return (
    <div>
      <p id={`${id}-label`} className="text-sm font-semibold">
        Rating
      </p>
      <p id={`${id}-hint`} className="mb-2 text-micro text-muted">
        {MIN_RATING.toFixed(1)} to {MAX_RATING.toFixed(1)}, in half stars. Arrow keys change it too.
      </p>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <div
          className="pf-rating"
          role="radiogroup"
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-hint`}
          onPointerLeave={() => setHovered(null)}
        >
          <StarRow kind="line" />
          <StarRow kind="full" value={hovered ?? value} />
          {RATINGS.map((rating) => (
            <input
              key={rating}
              type="radio"
              name="rating"
              value={rating.toFixed(1)}
              aria-label={`${rating.toFixed(1)} of ${MAX_RATING} stars`}
              checked={rating === value}
              onChange={() => onChange(rating)}
              onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setHovered(rating)}
            />
          ))}
        </div>
        <span aria-live="polite" className="price !text-[1.75rem] !leading-9">
          {value.toFixed(1)}
        </span>
      </div>
    </div>
  );
}
