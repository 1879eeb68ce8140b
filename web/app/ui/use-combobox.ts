import { type KeyboardEvent, useRef, useState } from 'react';
import { matchOptions, type Option } from './match-options.ts';

interface ComboboxState {
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
}

export function useCombobox({ value, options, onChoose }: ComboboxState) {
  const area = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const shown = matchOptions(options, typed ?? '');
  const close = () => {
    setTyped(null);
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
    const only = shown.length === 1 ? shown[0] : undefined;
    if (typed !== null && only) return choose(only.value);
    close();
  };
  const move = (step: 1 | -1) => {
    if (!isOpen) setIsOpen(true);
    const next = active < 0 && step < 0 ? shown.length - 1 : active + step;
    setActive(shown.length === 0 ? -1 : (next + shown.length) % shown.length);
  };
  const press = (event: KeyboardEvent) => {
    const chosen = shown[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter' && (isOpen || typed !== null)) chosen ? choose(chosen.value) : commit();
    else if (event.key === 'Escape' && (isOpen || typed !== null)) close();
    else return;
    event.preventDefault();
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
      setTyped(text);
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
