import { formatPieces } from '@parts-forge/contract/money/money';
import type { PageConfig } from '@parts-forge/contract/people/identity';
import { Upload } from 'lucide';
import { type ComponentProps, type DragEvent, type Ref, useEffect, useId, useRef } from 'react';
import { type ChosenPicture, describePictureRules, formatBytes } from '#app/products/check-picture.ts';
import { Button } from '#app/ui/button.tsx';
import { FieldError } from '#app/ui/field.tsx';
import { FileLabel } from '#app/ui/file-label.tsx';
import { Icon } from '#app/ui/icon.tsx';

interface PictureFieldProps {
  rules: PageConfig['images'];
  picture: ChosenPicture | null;
  error: string | undefined;
  /** From 0 to 1; null when nothing is being sent. */
  progress: number | null;
  onChoose: (file: File) => void;
  onRemove: () => void;
  input: Ref<HTMLInputElement>;
}

export function PictureField(props: PictureFieldProps) {
  const { rules, picture, error, progress, onChoose, onRemove, input } = props;
  const errorId = useId();
  const fileInput = {
    ref: input,
    accept: rules.types.join(','),
    required: true,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': error ? errorId : undefined,
    onChoose,
  };
  return (
    <fieldset
      className="pf-field min-w-0 grid-cols-[minmax(0,1fr)] sm:max-lg:max-w-80"
      {...createDropHandlers(onChoose)}
    >
      <legend className="mb-1.5">Image</legend>
      {picture ? (
        <ChosenPictureView picture={picture} fileInput={fileInput} onRemove={onRemove} />
      ) : (
        <EmptyPictureView rules={rules} isInvalid={error !== undefined} fileInput={fileInput} />
      )}
      {error && <FieldError id={errorId}>{error}</FieldError>}
      {progress !== null && <UploadProgress share={progress} />}
    </fieldset>
  );
}

type FileInput = Omit<ComponentProps<typeof FileLabel>, 'aria-label' | 'className' | 'children'>;

interface ChosenPictureViewProps {
  picture: ChosenPicture;
  fileInput: FileInput;
  onRemove: () => void;
}

function ChosenPictureView({ picture, fileInput, onRemove }: ChosenPictureViewProps) {
  const { file, bitmap } = picture;
  return (
    <>
      <div className="pf-tile pf-corners">
        <Preview picture={picture} />
      </div>
      <p className="num mt-1 text-sm">
        <span className="block truncate font-medium">{file.name}</span>
        <span className="text-muted">
          {formatPieces(bitmap.width)} × {formatPieces(bitmap.height)} px, {formatBytes(file.size)}
        </span>
      </p>
      <div className="mt-1 flex gap-2">
        <FileLabel {...fileInput} aria-label="Replace Image" className="btn btn-line h-10 flex-1">
          Replace
        </FileLabel>
        <Button kind="line" size="bar" className="!h-10" onClick={onRemove}>
          Remove
        </Button>
      </div>
    </>
  );
}

interface EmptyPictureViewProps {
  rules: PageConfig['images'];
  isInvalid: boolean;
  fileInput: FileInput;
}

function EmptyPictureView({ rules, isInvalid, fileInput }: EmptyPictureViewProps) {
  const edge = isInvalid ? 'border-error' : 'border-edge';
  return (
    <FileLabel
      {...fileInput}
      aria-label="Image: choose a picture"
      className={`grid aspect-square place-items-center content-center gap-2 rounded-field border border-dashed ${edge} bg-base-100 p-6 text-center transition-colors hover:border-base-content`}
    >
      <Icon of={Upload} className="size-7 text-muted" />
      <span className="font-semibold">Choose a picture</span>
      <span className="text-balance text-micro font-normal text-muted">
        or drop it here. {describePictureRules(rules)}
      </span>
    </FileLabel>
  );
}

function createDropHandlers(onChoose: (file: File) => void) {
  return {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) onChoose(file);
    },
  };
}

/** Longest side in pixels, twice the tile's width for dense screens. */
const PREVIEW_PX = 640;

/** A canvas, because a `blob:` address would have to be allowed on every page. */
function Preview({ picture: { bitmap } }: { picture: ChosenPicture }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const scale = Math.min(1, PREVIEW_PX / Math.max(bitmap.width, bitmap.height));
    element.width = Math.max(1, Math.round(bitmap.width * scale));
    element.height = Math.max(1, Math.round(bitmap.height * scale));
    element.getContext('2d')?.drawImage(bitmap, 0, 0, element.width, element.height);
  }, [bitmap]);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label="Preview of the chosen picture"
      className="h-full w-full object-contain p-[8%]"
    />
  );
}

function UploadProgress({ share }: { share: number }) {
  const percent = Math.round(share * 100);
  return (
    <div className="mt-2">
      <progress
        className="progress h-1 w-full text-primary"
        value={percent}
        max={100}
        aria-label="Picture upload"
      />
      <p className="num mt-1 text-micro text-muted">{percent}% sent</p>
    </div>
  );
}
