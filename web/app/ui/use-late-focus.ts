import { useEffect, useRef } from 'react';

/** @returns focuses the element with an id, now or once it is there, such as with its row or tab */
export function useLateFocus(): (id: string) => void {
  const awaited = useRef('');
  const focus = () => {
    const target = document.getElementById(awaited.current);
    if (!target) return;
    awaited.current = '';
    target.focus();
  };
  useEffect(focus);
  return (id) => {
    awaited.current = id;
    focus();
  };
}
