import { useState } from 'react';

const KEY = 'picked';
/** The oldest end. */
const MAX_TICKS = 1000;

/** The picked items, on this device alone. */
export function useTicks() {
  const [ticks, setTicks] = useState(readTicks);
  const toggle = (id: string) => {
    const after = ticks.includes(id) ? ticks.filter((each) => each !== id) : [...ticks, id].slice(-MAX_TICKS);
    setTicks(after);
    try {
      localStorage.setItem(KEY, JSON.stringify(after));
    } catch {
      // They last as long as the page.
    }
  };
  return { isTicked: (id: string) => ticks.includes(id), toggle };
}

function readTicks(): readonly string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
