import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChosenPicture } from './check-picture.ts';

/** The chosen picture; frees its pixels when another one is set or the page is left. */
export function useChosenPicture() {
  const [picture, setState] = useState<ChosenPicture | null>(null);
  const current = useRef<ChosenPicture | null>(null);
  const setPicture = useCallback((next: ChosenPicture | null) => {
    current.current?.bitmap.close();
    current.current = next;
    setState(next);
  }, []);
  useEffect(() => () => current.current?.bitmap.close(), []);
  return { picture, setPicture };
}
