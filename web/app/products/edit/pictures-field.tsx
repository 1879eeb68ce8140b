import { MAX_IMAGES } from '@parts-forge/contract/bounds';
import type { PageConfig } from '@parts-forge/contract/identity';
import { ArrowUp, Plus } from 'lucide';
import { type ReactNode, useId, useRef, useState } from 'react';
import { describeError } from '#app/errors/describe-error.ts';
import { useSingleFlight } from '#app/forms/use-single-flight.ts';
import { Button } from '#app/ui/button.tsx';
import { FieldError } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { checkPicture, describePictureRules } from '../check-picture.ts';
import { ProductPicture } from '../product-picture.tsx';
import { uploadPicture } from '../upload-picture.ts';

interface PicturesFieldProps {
  rules: PageConfig['images'];
  images: readonly string[];
  error: string | undefined;
  onChange: (images: string[]) => void;
}

/** The pictures of a part in their order; the first is on the cards. A new one is sent at once, and saved with the rest. */
export function PicturesField({ rules, images, error, onChange }: PicturesFieldProps) {
  const headingId = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  const upload = useUpload(rules);
  const put = async (file: File, index: number) => {
    const address = await upload.send(file);
    if (address === null || images.includes(address)) return;
    onChange(images.toSpliced(index, 1, address));
  };
  const move = (index: number) => {
    const image = images[index];
    if (image) onChange(images.toSpliced(index, 1).toSpliced(index - 1, 0, image));
  };
  const remove = (index: number) => {
    onChange(images.toSpliced(index, 1));
    // The button is gone with its picture.
    group.current?.focus();
  };
  const message = upload.error ?? error;
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
          <li key={image} className="grid gap-2">
            <div className="pf-tile pf-corners">
              <ProductPicture image={image} alt={`Picture ${index + 1}`} sizes="18rem" />
            </div>
            <div className="flex gap-2">
              <FileButton
                label={`Replace picture ${index + 1}`}
                accept={rules.types}
                className="flex-1"
                onChoose={(file) => put(file, index)}
              >
                Replace
              </FileButton>
              {index > 0 && (
                <button
                  type="button"
                  className="btn btn-line btn-square size-10"
                  aria-label={`Move picture ${index + 1} up`}
                  onClick={() => move(index)}
                >
                  <Icon of={ArrowUp} className="size-4" />
                </button>
              )}
              {images.length > 1 && (
                <Button
                  kind="line"
                  size="bar"
                  className="!h-10"
                  aria-label={`Remove picture ${index + 1}`}
                  onClick={() => remove(index)}
                >
                  Remove
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {images.length < MAX_IMAGES && (
        <FileButton
          label="Add a picture"
          accept={rules.types}
          className="mt-5 w-full"
          onChoose={(file) => put(file, images.length)}
        >
          <Icon of={Plus} className="size-4" />
          Add a picture
        </FileButton>
      )}
      {upload.progress !== null && (
        <p className="num mt-2 text-micro text-muted" role="status">
          {Math.round(upload.progress * 100)}% sent
        </p>
      )}
      {message && <FieldError id={`${headingId}-error`}>{message}</FieldError>}
    </fieldset>
  );
}

/** Sends one picture at a time; `send` gives its address, or null when it was not taken, which `error` says. */
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

interface FileButtonProps {
  label: string;
  accept: readonly string[];
  className: string;
  onChoose: (file: File) => void;
  children: ReactNode;
}

/** A button that chooses a file. */
function FileButton({ label, accept, className, onChoose, children }: FileButtonProps) {
  return (
    <label
      className={`btn btn-line h-10 cursor-pointer bg-base-100 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary ${className}`}
    >
      {children}
      <input
        className="sr-only"
        type="file"
        accept={accept.join(',')}
        aria-label={label}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // The same file may be chosen again after it was removed.
          event.target.value = '';
          if (file) onChoose(file);
        }}
      />
    </label>
  );
}
