import type { ComponentProps, ReactNode } from 'react';

interface FileLabelProps extends Omit<ComponentProps<'input'>, 'className' | 'onChange'> {
  /** Names the input; `children` is the label on the screen. */
  'aria-label': string;
  className: string;
  /** @param files all, of an input for several */
  onChoose: (file: File, files: readonly File[]) => void;
  /** Other props of the label. */
  frame?: ComponentProps<'label'>;
  children: ReactNode;
}

/** Opens the file dialog. The input keeps no file, so that the same one can be chosen again. */
export function FileLabel({ className, onChoose, frame, children, ...input }: FileLabelProps) {
  return (
    <label
      className={`cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary ${className}`}
      {...frame}
    >
      {children}
      <input
        {...input}
        type="file"
        className="sr-only"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          const [file] = files;
          target.value = '';
          if (file) onChoose(file, files);
        }}
      />
    </label>
  );
}
