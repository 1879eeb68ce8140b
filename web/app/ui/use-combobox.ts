import { type KeyboardEvent, useRef, useState } from 'react';
import { matchOptions, type Option } from './match-options.ts';

interface ComboboxState {
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
  onType?: (text: string) => void;
}

export function useCombobox({ value, options, onChoose, onType }: ComboboxState) {
  const area = useRef<HTMLDivElement>(null);
  const [typed, note] = useTyped(onType);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const shown = onType ? options : matchOptions(options, typed ?? '');
  const close = () => {
    note(null);
    setIsOpen(false);
    setActive(-1);
  };
  const choose = (chosen: string) => {
    close();
    if (chosen !== value) onChoose(chosen);
  };
  /** Runs on leaving the field. */
  const commit = () => {
    if (typed?.trim() === '') return choose('');
    const only = typed !== null && findOnly(shown, onType);
    if (only) return choose(only.value);
    close();
  };
  const move = (step: 1 | -1) => {
    setIsOpen(true);
    setActive(stepThrough(shown.length, active, step));
  };
  const enter = () => {
    const chosen = shown[active];
    return chosen ? choose(chosen.value) : commit();
  };
  const press = (event: KeyboardEvent) => {
    const act = findAct(event.key, isOpen || typed !== null);
    if (!act) return;
    event.preventDefault();
    ({ down: () => move(1), up: () => move(-1), enter, close })[act]();
  };
  return {
    area,
    text: typed ?? value,
    isTyped: typed !== null,
    isOpen,
    active,
    shown,
    choose,
    press,
    type: (text: string) => {
      note(text);
      setIsOpen(true);
      setActive(-1);
    },
    open: () => setIsOpen(true),
    toggle: () => {
      area.current?.querySelector('input')?.focus();
      setIsOpen(!isOpen);
    },
    clear: () => {
      area.current?.querySelector('input')?.focus();
      choose('');
    },
    leave: commit,
  };
}

/** Null while the choice stands in the field. */
function useTyped(onType: ComboboxState['onType']) {
  const [typed, setTyped] = useState<string | null>(null);
  const note = (text: string | null) => {
    setTyped(text);
    onType?.(text ?? '');
  };
  return [typed, note] as const;
}

const findOnly = (shown: readonly Option[], onType: ComboboxState['onType']): Option | null =>
  (!onType && shown.length === 1 && shown[0]) || null;

/** Goes round at both ends; -1 if there is no option. */
function stepThrough(count: number, active: number, step: 1 | -1): number {
  const next = active < 0 && step < 0 ? count - 1 : active + step;
  return count === 0 ? -1 : (next + count) % count;
}

/** Enter and Escape belong to the form while nothing is typed or open. */
function findAct(key: string, isBusy: boolean): 'down' | 'up' | 'enter' | 'close' | null {
  if (key === 'ArrowDown') return 'down';
  if (key === 'ArrowUp') return 'up';
  if (!isBusy) return null;
  return key === 'Enter' ? 'enter' : key === 'Escape' ? 'close' : null;
}
