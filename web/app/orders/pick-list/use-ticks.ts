import { useState } from 'react';
import { readFrom, storeIn } from '#app/ui/browser-storage.ts';

const KEY = 'picked';
/** The oldest are dropped above it. */
const MAX_TICKS = 1000;

/** The picked items, on this device alone. */
export function useTicks() {
  const [ticks, setTicks] = useState(readTicks);
  const toggle = (id: string) => {
    const after = ticks.includes(id) ? ticks.filter((each) => each !== id) : [...ticks, id].slice(-MAX_TICKS);
    setTicks(after);
    storeIn('localStorage', KEY, JSON.stringify(after));
  };
  return { isTicked: (id: string) => ticks.includes(id), toggle };
}

function readTicks(): readonly string[] {
  const kept = readFrom<string[]>('localStorage', KEY);
  return Array.isArray(kept) ? kept : [];
}
