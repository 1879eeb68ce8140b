import type { Product } from '@parts-forge/contract/products/products';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { describeError } from '#app/errors/describe-error.ts';
import { foundPartsQueryOptions } from '#app/products/queries.ts';
import { Combobox } from '#app/ui/combobox.tsx';
import { SEARCH_DELAY_MS } from '#app/ui/search-text.ts';

interface ChoosePartProps {
  name: string;
  /** @param isRemembered whether the name means the part from now on */
  onChoose: (part: Product, isRemembered: boolean) => void;
}

/** For a line whose number no part has. The name stays in the line until a part is chosen. */
export function ChoosePart({ name, onChoose }: ChoosePartProps) {
  const [isRemembered, setRemembered] = useState(true);
  const [typed, setTyped] = useState('');
  const { options, find, nothing } = useFoundParts(typed);
  const choose = (option: string) => {
    const part = find(option);
    if (part) onChoose(part, isRemembered);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:w-full">
      <div className="w-full sm:w-52">
        <Combobox
          label={`Choose the part for ${name}`}
          isLabelHidden
          listLabel="Parts"
          value=""
          options={options}
          onType={setTyped}
          onChoose={choose}
          placeholder="Choose the part …"
          nothing={nothing}
        />
      </div>
      <label className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm [overflow-wrap:anywhere]">
        <input
          type="checkbox"
          className="checkbox checkbox-neutral size-5"
          checked={isRemembered}
          onChange={(event) => setRemembered(event.target.checked)}
        />
        Remember {name}
      </label>
    </div>
  );
}

/** Searches while the customer types. */
function useFoundParts(typed: string) {
  const [q, setQ] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const {
    data = [],
    error,
    isPending,
    isPlaceholderData,
  } = useQuery({
    ...foundPartsQueryOptions(q),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  const parts = new Map(data.map((part) => [`${part.number}, ${part.name}`, part]));
  const isStale = typed.trim() === '';
  const isSearching = isPending || isPlaceholderData || typed.trim() !== q;
  const found = isSearching ? 'Searching …' : error ? describeError(error) : 'Nothing like this';
  return {
    nothing: isStale ? 'Type a number or name' : found,
    options: isStale ? [] : [...parts.keys()].map((value) => ({ value })),
    find: (option: string) => parts.get(option),
  };
}
