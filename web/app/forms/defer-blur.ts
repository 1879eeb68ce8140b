import type { FocusEvent } from 'react';

/** By then a browser has sent the click that follows a release, in milliseconds. */
const MOST_BEFORE_CLICK_MS = 400;

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
/** Ends the press in a task of its own, in which the click has been handled. */
let ending: ReturnType<typeof setTimeout> | undefined;

if (typeof document !== 'undefined') {
  document.addEventListener(
    'pointerdown',
    () => {
      clearTimeout(ending);
      isPressed = true;
    },
    true,
  );
  // After `pointerup` a touch screen still sends `mousedown`, which takes the focus away, `mouseup` and `click`: the
  // press ends with the click, or, where there is none, a moment after the pointer has left.
  for (const [release, waitMs] of [
    ['click', 0],
    ['pointerup', MOST_BEFORE_CLICK_MS],
    ['pointercancel', 0],
    // A long press; the menu of a mouse takes the release.
    ['contextmenu', 0],
    ['dragend', 0],
  ] as const) {
    document.addEventListener(
      release,
      () => {
        clearTimeout(ending);
        ending = setTimeout(() => {
          isPressed = false;
        }, waitMs);
      },
      true,
    );
  }
}

function afterRelease(work: () => unknown): void {
  if (isPressed) setTimeout(() => afterRelease(work), 20);
  else work();
}
