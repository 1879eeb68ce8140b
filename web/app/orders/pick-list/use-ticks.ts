import { useState } from 'react';

const KEY = 'picked';

/**
 * The picked items of a list, on this device alone. Ticks of another list end.
 * @param list such as its address
 */
export function useTicks(list: string) {
  const [ticks, setTicks] = useState(() => readTicks(list));
  const toggle = (id: string) => {
    const after = ticks.includes(id) ? ticks.filter((each) => each !== id) : [...ticks, id];
    setTicks(after);
    try {
      localStorage.setItem(KEY, JSON.stringify({ list, ticks: after }));
    } catch {
      // They last as long as the page.
    }
  };
  return { isTicked: (id: string) => ticks.includes(id), toggle };
}

function readTicks(list: string): readonly string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return kept?.list === list && Array.isArray(kept.ticks) ? kept.ticks : [];
  } catch {
    return [];
  }
}
