import { ChevronsUpDown, X } from 'lucide';
import { useEffect, useId, useRef } from 'react';
import { IconButton } from './icon-button.tsx';
import { highlightMatch, type Option } from './match-options.ts';
import { useCombobox } from './use-combobox.ts';

interface ComboboxProps {
  label: string;
  /** Names the list for screen readers: `Phone models`. */
  listLabel: string;
  /** The current choice; empty for none. */
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
  placeholder: string;
  /** The field's name in a form without script. */
  name?: string;
  /** A word inside the field; hides the label except for screen readers. */
  prefix?: string;
  isLabelHidden?: boolean;
  /** The list moves the content below it. */
  isListInFlow?: boolean;
  /** `options` are what a search found for this text; leaving the field chooses none of them. */
  onType?: (text: string) => void;
  /** In place of an empty list. */
  nothing?: string;
}

/** An editable combobox with a list (ARIA 1.2). Escape restores the choice; an emptied field means none. */
export function Combobox(props: ComboboxProps) {
  const { label, listLabel, value, placeholder, name, prefix, isListInFlow = false, nothing } = props;
  const { isLabelHidden = prefix !== undefined } = props;
  const id = useId();
  const combobox = useCombobox(props);
  const { isOpen, active } = combobox;
  const above = 'absolute top-[calc(100%+0.375rem)] z-40 shadow-[var(--pf-shadow)]';
  // Names of parts are longer than the field.
  const width = props.onType ? 'left-0 w-full sm:w-96' : 'inset-x-0';
  const place = isListInFlow ? 'mt-2' : `${above} ${width}`;
  return (
    <div ref={combobox.area} className={isListInFlow ? '' : 'relative'}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-2 block text-sm font-semibold'}>
        {label}
      </label>
      <div className="relative">
        {prefix && (
          <span
            className="pointer-events-none absolute inset-y-0 left-3 z-10 grid place-items-center text-sm text-muted"
            aria-hidden="true"
          >
            {prefix}
          </span>
        )}
        <input
          id={id}
          name={name}
          role="combobox"
          className={`input h-11 w-full pr-12 text-base ${prefix ? 'pl-12' : ''}`}
          placeholder={placeholder}
          autoComplete="off"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
          value={combobox.text}
          onChange={(event) => combobox.type(event.target.value)}
          onKeyDown={combobox.press}
          onClick={combobox.open}
          onBlur={combobox.leave}
        />
        <FieldButton
          isClear={value !== ''}
          label={value === '' ? `Show ${listLabel.toLowerCase()}` : `Clear ${label.toLowerCase()}`}
          onPress={value === '' ? combobox.toggle : combobox.clear}
        />
      </div>
      <OptionList id={id} label={listLabel} place={place} nothing={nothing} combobox={combobox} />
    </div>
  );
}

interface OptionListProps {
  id: string;
  label: string;
  /** Classes. */
  place: string;
  nothing: string | undefined;
  combobox: ReturnType<typeof useCombobox>;
}

function OptionList({ id, label, place, nothing = 'Nothing like this', combobox }: OptionListProps) {
  const { text, isTyped, isOpen, active, shown } = combobox;
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label={label}
      hidden={!isOpen}
      className={`max-h-72 overflow-y-auto rounded-box border border-base-300 bg-base-100 p-2 ${place}`}
    >
      {shown.map((option, index) => (
        <OptionRow
          key={option.value}
          id={`${id}-${index}`}
          option={option}
          text={isTyped ? text : ''}
          isActive={index === active}
          onChoose={() => combobox.choose(option.value)}
        />
      ))}
      {shown.length === 0 && <p className="px-3 py-2 text-sm text-muted">{nothing}</p>}
    </div>
  );
}

interface FieldButtonProps {
  isClear: boolean;
  label: string;
  onPress: () => void;
}

/** The keyboard opens the list with the arrows. */
function FieldButton({ isClear, label, onPress }: FieldButtonProps) {
  return (
    <IconButton
      icon={isClear ? X : ChevronsUpDown}
      label={label}
      className="absolute inset-y-0 right-0.5 z-10 my-auto size-10"
      iconClass="size-4 text-muted"
      tabIndex={isClear ? 0 : -1}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    />
  );
}

interface OptionRowProps {
  id: string;
  option: Option;
  /** The typed text, to highlight. */
  text: string;
  isActive: boolean;
  onChoose: () => void;
}

function OptionRow({ id, option, text, isActive, onChoose }: OptionRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isActive]);
  const [before, match, after] = highlightMatch(option.value, text);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option instead.
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      className={`flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-field px-3 py-1 ${isActive ? 'bg-base-200' : 'hover:bg-base-200'}`}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span>
        {before}
        {match && <strong className="font-semibold">{match}</strong>}
        {after}
      </span>
      <span className="num text-sm text-muted">{option.count}</span>
    </div>
  );
}
