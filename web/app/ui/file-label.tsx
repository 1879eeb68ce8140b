import type { ComponentProps, ReactNode } from 'react';

interface FileLabelProps extends Omit<ComponentProps<'input'>, 'className' | 'onChange'> {
  /** Names the input; its label on the screen is `children`. */
  'aria-label': string;
  /** Of the label, beside its focus ring. */
  className: string;
  onChoose: (file: File) => void;
  /** What else the label has, such as handlers of a drop. */
  frame?: ComponentProps<'label'>;
  children: ReactNode;
}

/** A label that opens the browser's choice of a file. The hidden input keeps no file, so the same one can be chosen again. */
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
          const [file] = target.files ?? [];
          target.value = '';
          if (file) onChoose(file);
        }}
      />
    </label>
  );
}
