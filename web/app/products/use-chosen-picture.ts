import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChosenPicture } from './check-picture.ts';

/** Holds the chosen picture, and lets go of its pixels when another comes or the page is left. */
export function useChosenPicture() {
  const [picture, setPicture] = useState<ChosenPicture | null>(null);
  const held = useRef<ChosenPicture | null>(null);
  const hold = useCallback((next: ChosenPicture | null) => {
    held.current?.bitmap.close();
    held.current = next;
    setPicture(next);
  }, []);
  useEffect(() => () => held.current?.bitmap.close(), []);
  return { picture, hold };
}
