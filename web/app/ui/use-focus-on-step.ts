import { type RefObject, useEffect, useRef } from 'react';

/**
 * Focuses a new step's first field, else its heading, as the button that led there is gone. The first step
 * takes no focus.
 * @param step names the step that is shown
 */
export function useFocusOnStep<Area extends HTMLElement>(step: string): RefObject<Area | null> {
  const area = useRef<Area>(null);
  const focusedStep = useRef(step);
  useEffect(() => {
    if (focusedStep.current === step) return;
    focusedStep.current = step;
    const [target] = area.current?.querySelectorAll<HTMLElement>('input') ?? [];
    (target ?? area.current?.querySelector<HTMLElement>('h2'))?.focus();
  }, [step]);
  return area;
}
