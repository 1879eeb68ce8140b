import { MAX_FITS, MAX_MODEL } from '@parts-forge/contract/calls/bounds';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { FieldError } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { modelsQueryOptions } from '../queries.ts';

interface FitsFieldProps {
  models: readonly string[];
  error: string | undefined;
  onChange: (models: string[]) => void;
}

/** Enter or leaving the field adds a model. */
export function FitsField({ models, error, onChange }: FitsFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const add = () => {
    const typed = text.split(',').map((model) => model.trim());
    const added = [...new Set(typed)].filter((model) => model !== '' && !models.includes(model));
    if (added.length > 0) onChange([...models, ...added]);
    setText('');
  };
  const remove = (model: string) => {
    onChange(models.filter((each) => each !== model));
    // The button is gone; adding another model is likely next.
    input.current?.focus();
  };
  return (
    <div className="pf-field -mt-2">
      <label htmlFor={id} className="sr-only">
        Add a phone model
      </label>
      <div
        className={`flex min-h-12 flex-wrap items-center gap-2 rounded-field border p-1.5 ${error ? 'border-error' : 'border-edge'}`}
      >
        {models.map((model) => (
          <Model key={model} model={model} onRemove={() => remove(model)} />
        ))}
        {models.length < MAX_FITS && (
          <input
            ref={input}
            id={id}
            className="h-8 min-w-32 flex-1 bg-transparent px-2"
            placeholder="Add a model"
            list={`${id}-known`}
            autoComplete="off"
            maxLength={MAX_MODEL}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => addByEnter(event, add)}
            onBlur={add}
          />
        )}
      </div>
      <KnownModels id={`${id}-known`} but={models} />
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

function addByEnter(event: KeyboardEvent, add: () => void): void {
  if (event.key !== 'Enter') return;
  // Enter would submit the form.
  event.preventDefault();
  add();
}

function Model({ model, onRemove }: { model: string; onRemove: () => void }) {
  return (
    <span className="inline-flex min-w-0 items-center rounded-selector border border-base-300 bg-base-200 pl-2.5 text-sm [overflow-wrap:anywhere]">
      {model}
      <button
        type="button"
        className="btn btn-ghost btn-square size-8"
        aria-label={`Remove ${model}`}
        onClick={onRemove}
      >
        <Icon of={X} className="size-4 text-muted" />
      </button>
    </span>
  );
}

/** Suggests one spelling for each model; otherwise the shop's filter would list it twice. */
function KnownModels({ id, but }: { id: string; but: readonly string[] }) {
  const { data: known = [] } = useQuery(modelsQueryOptions());
  return (
    <datalist id={id}>
      {known
        .filter((model) => !but.includes(model))
        .map((model) => (
          <option key={model} value={model} />
        ))}
    </datalist>
  );
}
