import type { FocusEvent } from 'react';

/**
 * A message that opens when a field is left pushes down what follows. When it is left by pressing a button,
 * the button would move away between press and release, and the click would be lost; so the check waits for
 * the release.
 */
export function afterPress<Registration extends { onBlur: (event: FocusEvent) => unknown }>(
  registration: Registration,
): Registration {
  return { ...registration, onBlur: (event: FocusEvent) => whenReleased(() => registration.onBlur(event)) };
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

function whenReleased(work: () => void): void {
  // The click follows the release; a moment later it has been handled.
  if (pressed) setTimeout(() => whenReleased(work), 20);
  else work();
}
