import type { FocusEvent } from 'react';

/** Longest time between a release and its click. */
const MOST_BEFORE_CLICK_MS = 400;

/**
 * A message would move the pressed button away and lose its click, so the field's check waits for the
 * release.
 */
export function deferBlur<Registration extends { onBlur: (event: FocusEvent) => unknown }>(
  registration: Registration,
): Registration {
  const onBlur = (event: FocusEvent) => {
    const field = event.target as HTMLInputElement;
    const valueOnBlur = field.value;
    // A submit may have emptied the form.
    afterRelease(() => field.value === valueOnBlur && registration.onBlur(event));
  };
  return { ...registration, onBlur };
}

let isPressed = false;
/** After the click's handlers. */
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
  // On a touch screen, mouse events follow `pointerup`.
  for (const [release, waitMs] of [
    ['click', 0],
    ['pointerup', MOST_BEFORE_CLICK_MS],
    ['pointercancel', 0],
    // A long press; a mouse's menu swallows the release.
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
