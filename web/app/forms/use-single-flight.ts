import { useCallback, useRef } from 'react';

/**
 * Runs one piece of work at a time: what is asked for while one is under way is left out. State would come a render
 * too late for the second press of a double click.
 */
export function useSingleFlight(): (work: () => Promise<void>) => Promise<void> {
  const isRunning = useRef(false);
  return useCallback(async (work) => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await work();
    } finally {
      isRunning.current = false;
    }
  }, []);
}
