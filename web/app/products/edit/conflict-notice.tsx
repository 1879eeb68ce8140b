import { type EditedField, fieldFacts } from '@parts-forge/contract/products/product-fields';
import { useQuery } from '@tanstack/react-query';
import { GitCompareArrows } from 'lucide';
import { useEffect, useId, useRef, useState } from 'react';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Icon } from '#app/ui/icon.tsx';
import { lastEditQueryOptions } from '../queries.ts';
import { describeField, listFieldNames } from './describe-field.ts';
import { toPart, toValues } from './edit-values.ts';
import { type Conflict, type EditForm, setField } from './use-edit-part.ts';

/** After a conflict, asks which value to keep where both edits differ. */
export function ConflictNotice({ form, conflict }: { form: EditForm; conflict: Conflict }) {
  const { base, theirs, taken, asked } = conflict;
  const headingId = useId();
  const notice = useRef<HTMLElement>(null);
  const { data: edit } = useQuery(lastEditQueryOptions(theirs));
  const who = edit?.by.name ?? 'Somebody else';
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'nearest' });
    notice.current?.focus();
  }, []);
  return (
    <section
      ref={notice}
      tabIndex={-1}
      className="pf-panel mb-6 !border-error outline-none"
      role="alert"
      aria-labelledby={headingId}
    >
      <div className="p-6 pb-3">
        <h2 id={headingId} className="flex gap-3 text-h4 font-semibold">
          <Icon of={GitCompareArrows} className="size-6 shrink-0 text-error" />
          Changed by <bdi>{who}</bdi>, {formatMoment(theirs.updatedAt)}:{' '}
          {listFieldNames([...taken, ...asked])}
        </h2>
        <p className="mt-1 text-muted">
          Your changes are not saved yet.
          {asked.length > 0
            ? ' Choose what stays, then press Save changes again.'
            : ' Press Save changes again.'}
        </p>
      </div>
      <div className="px-6">
        {asked.map((field) => (
          <ConflictingField key={field} field={field} form={form} conflict={conflict} who={who} />
        ))}
      </div>
      {taken.length > 0 && (
        <div className="num border-t border-base-300 px-6 py-4 text-sm text-muted [overflow-wrap:anywhere]">
          {taken.map((field) => (
            <p key={field}>
              {fieldFacts[field].label}: {describeField(base, field)} → {describeField(theirs, field)}. You
              had not changed it, so the new value stays.
            </p>
          ))}
        </div>
      )}
    </section>
  );
}

interface ConflictingFieldProps {
  field: EditedField;
  form: EditForm;
  conflict: Conflict;
  who: string;
}

function ConflictingField({ field, form, conflict, who }: ConflictingFieldProps) {
  const { base, theirs, mine } = conflict;
  const [choice, setChoice] = useState<'theirs' | 'mine'>('theirs');
  const choose = (chosen: 'theirs' | 'mine') => {
    setChoice(chosen);
    setField(form, field, chosen === 'theirs' ? toValues(theirs) : mine);
  };
  const was = describeField(base, field);
  return (
    <div className="grid items-center gap-x-6 gap-y-3 border-t border-base-300 py-4 md:grid-cols-[7rem_minmax(0,1fr)_auto]">
      <p className="font-semibold">{fieldFacts[field].label}</p>
      <p className="num flex flex-wrap gap-x-6 gap-y-1 [overflow-wrap:anywhere]">
        <Difference who={who} was={was} is={describeField(theirs, field)} />
        <Difference who="You" was={was} is={describeField(toPart(mine), field)} />
      </p>
      <fieldset className="flex gap-2">
        <legend className="sr-only">{fieldFacts[field].label}</legend>
        {(['theirs', 'mine'] as const).map((option) => (
          <label key={option} className="pf-choice max-md:flex-1 max-md:justify-center">
            <input
              type="radio"
              name={`conflict-${field}`}
              className="sr-only"
              checked={choice === option}
              onChange={() => choose(option)}
            />
            {option === 'theirs' ? 'Take theirs' : 'Keep mine'}
          </label>
        ))}
      </fieldset>
    </div>
  );
}

function Difference({ who, was, is }: { who: string; was: string; is: string }) {
  return (
    <span>
      <span className="text-sm text-muted">
        <bdi>{who}</bdi>
      </span>{' '}
      <del className="pf-was">{was}</del> <span aria-hidden="true">→</span>{' '}
      <ins className="font-semibold no-underline">{is}</ins>
    </span>
  );
}
