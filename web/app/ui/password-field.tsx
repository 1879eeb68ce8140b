import { type ComponentProps, useId, useState } from 'react';
import { Field } from './field.tsx';

interface PasswordFieldProps extends Omit<ComponentProps<typeof Field>, 'type' | 'trail' | 'label'> {
  label: string;
}

export function PasswordField(props: PasswordFieldProps) {
  const generatedId = useId();
  const [isShown, setShown] = useState(false);
  const id = props.id ?? generatedId;
  return (
    <Field
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      id={id}
      type={isShown ? 'text' : 'password'}
      trail={
        <button
          type="button"
          className="btn btn-ghost -mr-2 h-9 shrink-0 px-2 text-sm"
          aria-pressed={isShown}
          aria-controls={id}
          onClick={() => setShown(!isShown)}
        >
          {/* No `aria-label`: only the field must match its label. */}
          <span>
            Show<span className="sr-only"> {props.label.toLowerCase()}</span>
          </span>
        </button>
      }
    />
  );
}
