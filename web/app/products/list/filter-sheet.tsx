import { formatPieces } from '@parts-forge/contract/money/money';
import type { ProductFacets } from '@parts-forge/contract/products/products';
import { X } from 'lucide';
import { useId, useRef } from 'react';
import type { ProductFilter } from '#app/products/product-filter.ts';
import { Button } from '#app/ui/button.tsx';
import { Combobox } from '#app/ui/combobox.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { useModal } from '#app/ui/use-modal.ts';
import { InStockCheckbox } from './in-stock-checkbox.tsx';
import { listKindChoices, listModelOptions } from './kind-choices.ts';

export interface FilterSheetProps {
  filter: ProductFilter;
  facets: ProductFacets | null;
  /** `36 parts`; empty while unknown. */
  count: string;
  onChange: (change: Partial<ProductFilter>) => void;
  onClose: () => void;
}

/**
 * A modal dialog, open while rendered; Escape and a click outside close it. A choice applies at once, so that
 * the button shows the new count.
 */
export function FilterSheet({ filter, facets, count, onChange, onClose }: FilterSheetProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard's way out is Escape, which `cancel` handles.
    <dialog
      ref={dialog}
      className="pf-sheet"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="flex max-h-[88dvh] flex-col">
        <Head id={id} onClose={onClose} />
        <div className="grid gap-6 overflow-y-auto p-5">
          <KindRadios filter={filter} facets={facets} onChange={onChange} />
          <Combobox
            label="Fits"
            listLabel="Phone models"
            value={filter.fits}
            options={listModelOptions(facets)}
            onChoose={(fits) => onChange({ fits })}
            placeholder="Any model"
            isListInFlow
          />
          <InStockCheckbox checked={filter.available} onChange={(available) => onChange({ available })} />
        </div>
        <div className="flex shrink-0 gap-3 border-t border-base-300 p-5">
          <Button kind="line" onClick={() => onChange({ kind: null, fits: '', available: false })}>
            Clear
          </Button>
          <Button kind="primary" className="flex-1" onClick={onClose}>
            {count ? `Show ${count}` : 'Show parts'}
          </Button>
        </div>
      </div>
    </dialog>
  );
}

function Head({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <div className="flex h-14 shrink-0 items-center justify-between border-b border-base-300 pl-5 pr-2">
      <h2 id={id} className="display text-h4">
        Filter
      </h2>
      <IconButton icon={X} label="Close filter" className="size-11" iconClass="size-5" onClick={onClose} />
    </div>
  );
}

function KindRadios({ filter, facets, onChange }: Pick<FilterSheetProps, 'filter' | 'facets' | 'onChange'>) {
  const choices = listKindChoices(facets, filter.kind);
  if (choices.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">Kind</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ kind, label, count }) => (
          <label key={label} className="pf-choice relative !h-11">
            <input
              type="radio"
              name="kind-choice"
              className="sr-only"
              checked={kind === filter.kind}
              onChange={() => onChange({ kind })}
            />
            {label}
            <span className="num">{formatPieces(count)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
