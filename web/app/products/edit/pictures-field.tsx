import { MAX_IMAGES } from '@parts-forge/contract/calls/bounds';
import type { PageConfig } from '@parts-forge/contract/people/identity';
import { ArrowUp, Plus } from 'lucide';
import { useId, useRef, useState } from 'react';
import { describeError } from '#app/errors/describe-error.ts';
import { useSingleFlight } from '#app/forms/use-single-flight.ts';
import { Button } from '#app/ui/button.tsx';
import { FieldError } from '#app/ui/field.tsx';
import { FileLabel } from '#app/ui/file-label.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { checkPicture, describePictureRules } from '../check-picture.ts';
import { ProductPicture } from '../product-picture.tsx';
import { uploadPicture } from '../upload-picture.ts';

const fileButton = 'btn btn-line h-10 bg-base-100';

interface PicturesFieldProps {
  rules: PageConfig['images'];
  images: readonly string[];
  error: string | undefined;
  onChange: (images: string[]) => void;
}

/**
 * The pictures in their order; cards show the first. A new one uploads at once and is saved with the form.
 */
export function PicturesField({ rules, images, error, onChange }: PicturesFieldProps) {
  const headingId = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  const upload = useUpload(rules);
  const refusal = upload.error ?? error;
  const put = async (file: File, index: number) => {
    const address = await upload.send(file);
    if (address === null || images.includes(address)) return;
    onChange(images.toSpliced(index, 1, address));
  };
  const remove = (index: number) => {
    onChange(images.toSpliced(index, 1));
    group.current?.focus();
  };
  return (
    <fieldset ref={group} tabIndex={-1} aria-labelledby={headingId} className="min-w-0 outline-none">
      <h2 id={headingId} className="display text-h4">
        Pictures
      </h2>
      <p className="mt-0.5 text-sm text-muted">
        The first one is on the cards. Up to {MAX_IMAGES}; {describePictureRules(rules)}.
      </p>
      <ol className="mt-5 grid gap-5 [&>li+li]:border-t [&>li+li]:border-base-300 [&>li+li]:pt-5">
        {images.map((image, index) => (
          <PictureItem
            key={image}
            image={image}
            place={index + 1}
            isOnly={images.length === 1}
            rules={rules}
            onReplace={(file) => put(file, index)}
            onMoveUp={() => onChange(images.toSpliced(index, 1).toSpliced(index - 1, 0, image))}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      {images.length < MAX_IMAGES && (
        <AddPicture rules={rules} onChoose={(file) => put(file, images.length)} />
      )}
      {upload.progress !== null && (
        <p className="num mt-2 text-micro text-muted" aria-live="polite" aria-atomic="true">
          {Math.round(upload.progress * 100)}% sent
        </p>
      )}
      {refusal && <FieldError id={`${headingId}-error`}>{refusal}</FieldError>}
    </fieldset>
  );
}

interface AddPictureProps {
  rules: PageConfig['images'];
  onChoose: (file: File) => void;
}

const AddPicture = ({ rules, onChoose }: AddPictureProps) => (
  <FileLabel
    className={`${fileButton} mt-5 w-full`}
    aria-label="Add a picture"
    accept={rules.types.join(',')}
    onChoose={onChoose}
  >
    <Icon of={Plus} className="size-4" />
    Add a picture
  </FileLabel>
);

interface PictureItemProps {
  image: string;
  place: number;
  isOnly: boolean;
  rules: PageConfig['images'];
  onReplace: (file: File) => void;
  onMoveUp: () => void;
  onRemove: () => void;
}

function PictureItem({ image, place, isOnly, rules, onReplace, onMoveUp, onRemove }: PictureItemProps) {
  return (
    <li className="grid gap-2">
      <div className="pf-tile pf-corners">
        <ProductPicture image={image} alt={`Picture ${place}`} sizes="18rem" />
      </div>
      <div className="flex gap-2">
        <FileLabel
          className={`${fileButton} flex-1`}
          aria-label={`Replace picture ${place}`}
          accept={rules.types.join(',')}
          onChoose={onReplace}
        >
          Replace
        </FileLabel>
        {place > 1 && (
          <button
            type="button"
            className="btn btn-line btn-square size-10"
            aria-label={`Move picture ${place} up`}
            onClick={onMoveUp}
          >
            <Icon of={ArrowUp} className="size-4" />
          </button>
        )}
        {!isOnly && (
          <Button
            kind="line"
            size="bar"
            className="!h-10"
            aria-label={`Remove picture ${place}`}
            onClick={onRemove}
          >
            Remove
          </Button>
        )}
      </div>
    </li>
  );
}

/** Uploads one picture at a time. `send` returns its address, or null after a failure. */
function useUpload(rules: PageConfig['images']) {
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const once = useSingleFlight();
  const send = async (file: File): Promise<string | null> => {
    let address: string | null = null;
    await once(async () => {
      setError(null);
      const checked = await checkPicture(file, rules);
      if (typeof checked === 'string') return setError(checked);
      checked.bitmap.close();
      setProgress(0);
      try {
        address = await uploadPicture(file, setProgress);
      } catch (failure) {
        setError(`${describeError(failure)} The picture was not added.`);
      } finally {
        setProgress(null);
      }
    });
    return address;
  };
  return { send, progress, error };
}
