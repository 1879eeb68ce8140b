import type { FocusEvent } from 'react';

/**
 * Lets a field be checked only after the pointer is released. The message that opens when a field is left pushes down
 * what follows: left by pressing a button, that button would move away between press and release, and the click would
 * be lost.
 */
export function deferBlur<Registration extends { onBlur: (event: FocusEvent) => unknown }>(
  registration: Registration,
): Registration {
  const onBlur = (event: FocusEvent) => {
    const field = event.target as HTMLInputElement;
    const valueOnBlur = field.value;
    // A form that was sent and emptied in the meantime has nothing to check.
    afterRelease(() => field.value === valueOnBlur && registration.onBlur(event));
  };
  return { ...registration, onBlur };
}

let isPressed = false;
if (typeof document !== 'undefined') {
  document.addEventListener(
    'pointerdown',
    () => {
      isPressed = true;
    },
    true,
  );
  for (const release of ['pointerup', 'pointercancel', 'dragend'] as const) {
    document.addEventListener(
      release,
      () => {
        isPressed = false;
      },
      true,
    );
  }
}

function afterRelease(work: () => unknown): void {
  // The click follows the release; a moment later it has been handled.
  if (isPressed) setTimeout(() => afterRelease(work), 20);
  else work();
}
