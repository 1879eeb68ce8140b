import type { FocusEvent } from 'react';

/**
 * A message that opens when a field is left pushes down what follows. When it is left by pressing a button,
 * the button would move away between press and release, and the click would be lost; so the check waits for
 * the release.
 */
export function deferBlur<Registration extends { onBlur: (event: FocusEvent) => unknown }>(
  registration: Registration,
): Registration {
  const onBlur = (event: FocusEvent) => {
    const field = event.target as HTMLInputElement;
    const left = field.value;
    // A form that was sent and emptied in the meantime has nothing to check.
    whenReleased(() => field.value === left && registration.onBlur(event));
  };
  return { ...registration, onBlur };
}

let pressed = false;
if (typeof document !== 'undefined') {
  document.addEventListener(
    'pointerdown',
    () => {
      pressed = true;
    },
    true,
  );
  for (const release of ['pointerup', 'pointercancel', 'dragend'] as const) {
    document.addEventListener(
      release,
      () => {
        pressed = false;
      },
      true,
    );
  }
}

function whenReleased(work: () => unknown): void {
  // The click follows the release; a moment later it has been handled.
  if (pressed) setTimeout(() => whenReleased(work), 20);
  else work();
}
