import { MAX_ATTRIBUTES } from '@parts-forge/contract/calls/bounds';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide';
import { useId } from 'react';
import { useFieldArray } from 'react-hook-form';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { Button } from '#app/ui/button.tsx';
import { FieldError } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import type { EditForm } from './use-edit-part.ts';

export function AttributeFields({ form }: { form: EditForm }) {
  const { fields, append, remove, move } = useFieldArray({ control: form.control, name: 'attributes' });
  return (
    <>
      {fields.length > 0 && (
        <div className="-mt-2 grid gap-2">
          {fields.map(({ id }, index) => (
            <AttributeRow
              key={id}
              form={form}
              index={index}
              isLast={index === fields.length - 1}
              onMove={(to) => move(index, to)}
              onRemove={() => remove(index)}
            />
          ))}
        </div>
      )}
      {fields.length < MAX_ATTRIBUTES && (
        <Button
          kind="line"
          size="bar"
          className="!h-10 justify-self-start"
          onClick={() => append({ name: '', value: '' })}
        >
          <Icon of={Plus} className="size-4" />
          Add a row
        </Button>
      )}
    </>
  );
}

interface AttributeRowProps {
  form: EditForm;
  index: number;
  isLast: boolean;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function AttributeRow({ form, index, isLast, onMove, onRemove }: AttributeRowProps) {
  const errorId = useId();
  const errors = form.formState.errors.attributes?.[index];
  const message = errors?.name?.message ?? errors?.value?.message;
  const register = (field: 'name' | 'value') => ({
    ...deferBlur(form.register(`attributes.${index}.${field}`)),
    required: true,
    'aria-label': `Row ${index + 1}: ${field}`,
    'aria-invalid': errors?.[field] ? (true as const) : undefined,
    'aria-describedby': errors?.[field] ? errorId : undefined,
  });
  const row = `row ${index + 1}`;
  return (
    <div>
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-center gap-x-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]">
        <input className="input h-11 w-full" {...register('name')} />
        <input className="input num h-11 w-full" {...register('value')} />
        <span className="flex max-sm:col-span-2 max-sm:justify-self-end">
          <IconButton
            icon={ArrowUp}
            label={`Move up: ${row}`}
            className={index === 0 ? 'invisible size-10' : 'size-10'}
            iconClass="size-4 text-muted"
            onClick={() => onMove(index - 1)}
          />
          <IconButton
            icon={ArrowDown}
            label={`Move down: ${row}`}
            className={isLast ? 'invisible size-10' : 'size-10'}
            iconClass="size-4 text-muted"
            onClick={() => onMove(index + 1)}
          />
          <IconButton
            icon={X}
            label={`Remove ${row}`}
            className="size-10"
            iconClass="size-4 text-muted"
            onClick={onRemove}
          />
        </span>
      </div>
      {message && <FieldError id={errorId}>{message}</FieldError>}
    </div>
  );
}
