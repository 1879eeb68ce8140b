import { X } from 'lucide';
import { type KeyboardEvent, useRef, useState } from 'react';
import { FieldNotes, useFieldIds } from '#app/ui/field.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';

interface ListFieldProps {
  label: string;
  /** The heading above says it already. */
  isLabelHidden?: boolean;
  hint?: string;
  placeholder: string;
  entries: readonly string[];
  maxEntries: number;
  /** Characters of an entry. */
  maxLength: number;
  /** Entries to suggest. */
  known?: readonly string[] | undefined;
  error: string | undefined;
  onChange: (entries: string[]) => void;
}

/** Enter or leaving the field adds an entry, or several with commas between them. */
export function ListField({ entries, known = [], error, onChange, ...props }: ListFieldProps) {
  const { label, isLabelHidden, hint, placeholder, maxEntries, maxLength } = props;
  const ids = useFieldIds(undefined, error, hint);
  const { id } = ids;
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const add = () => {
    const added = splitEntries(text).filter((entry) => !entries.includes(entry));
    if (added.length > 0) onChange([...entries, ...added]);
    setText('');
  };
  const remove = (entry: string) => {
    onChange(entries.filter((each) => each !== entry));
    // The button goes, and another entry is likely next. A full list gets its field by this change.
    requestAnimationFrame(() => input.current?.focus());
  };
  return (
    <div className={isLabelHidden ? 'pf-field -mt-2' : 'pf-field'}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : ''}>
        {label}
      </label>
      <div
        className={`flex min-h-12 flex-wrap items-center gap-2 rounded-field border p-1.5 ${error ? 'border-error' : 'border-edge'}`}
      >
        {entries.map((entry) => (
          <Entry key={entry} entry={entry} onRemove={() => remove(entry)} />
        ))}
        {entries.length < maxEntries && (
          <input
            ref={input}
            id={id}
            className="h-8 min-w-32 flex-1 bg-transparent px-2"
            placeholder={placeholder}
            list={`${id}-known`}
            autoComplete="off"
            maxLength={maxLength}
            aria-invalid={error ? true : undefined}
            aria-describedby={ids.describedBy}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => addByEnter(event, add)}
            onBlur={add}
          />
        )}
      </div>
      <Suggestions id={`${id}-known`} entries={known.filter((entry) => !entries.includes(entry))} />
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  );
}

function splitEntries(text: string): string[] {
  const typed = text.split(/[,;]/).map((entry) => entry.trim());
  return [...new Set(typed)].filter(Boolean);
}

const Suggestions = ({ id, entries }: { id: string; entries: readonly string[] }) => (
  <datalist id={id}>
    {entries.map((entry) => (
      <option key={entry} value={entry} />
    ))}
  </datalist>
);

function addByEnter(event: KeyboardEvent, add: () => void): void {
  if (event.key !== 'Enter') return;
  // Enter would submit the form.
  event.preventDefault();
  add();
}

function Entry({ entry, onRemove }: { entry: string; onRemove: () => void }) {
  return (
    <span className="inline-flex min-w-0 items-center rounded-selector border border-base-300 bg-base-200 pl-2.5 text-sm [overflow-wrap:anywhere]">
      {entry}
      <IconButton
        icon={X}
        label={`Remove ${entry}`}
        className="size-8"
        iconClass="size-4 text-muted"
        onClick={onRemove}
      />
    </span>
  );
}
