import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { focusHeadingIfLost } from './focus-heading.ts';
import { ToastFrame, type ToastKind, type ToastLink } from './toast-frame.tsx';

interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
  link: ToastLink | undefined;
}

/** In milliseconds (specification §9). */
const DURATION_MS = 5000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/**
 * Shows a message for five seconds, also across navigation. The same message again replaces the first.
 * @param link where the message leads
 */
export function toast(kind: ToastKind, text: string, link?: ToastLink): void {
  lastId += 1;
  const others = toasts.filter((each) => each.kind !== kind || each.text !== text);
  setToasts([...others, { id: lastId, kind, text, link }]);
}

/** Closes an outdated message. */
export const dismissToast = (text: string): void => setToasts(toasts.filter((each) => each.text !== text));

/** In the page from the start, so that screen readers announce new toasts. */
export function ToastRegion() {
  const current = useSyncExternalStore(subscribe, () => toasts, getServerToasts);
  return (
    // At the top over a bar, on phones at the foot (see pf-toasts).
    <section aria-label="Messages" className="pf-toasts fixed grid gap-2 print:hidden">
      <div role="status" aria-live="polite" className="grid gap-2">
        {current.map((each) => (
          <ToastCard key={each.id} {...each} />
        ))}
      </div>
    </section>
  );
}

function ToastCard({ id, kind, text, link }: Toast) {
  const card = useRef<HTMLDivElement>(null);
  const cameFrom = usePlaceBefore(card);
  useEffect(() => dismissAfterDelay(card.current, id), [id]);
  const close = () => {
    const pressed = document.activeElement;
    const isInside = card.current?.contains(pressed);
    dismiss(id);
    if (!isInside) return;
    // Otherwise the keyboard would restart at the top of the page.
    const place = cameFrom.current;
    if (place instanceof HTMLElement && place.isConnected) place.focus({ preventScroll: true });
    focusHeadingIfLost(pressed);
  };
  return <ToastFrame ref={card} kind={kind} text={text} link={link} onDismiss={close} />;
}

/** The element that had the focus before `element`. */
function usePlaceBefore(element: RefObject<HTMLElement | null>): RefObject<EventTarget | null> {
  const place = useRef<EventTarget | null>(null);
  useEffect(() => {
    const inside = element.current;
    const enter = ({ relatedTarget }: FocusEvent) => {
      if (!inside?.contains(relatedTarget as Node | null)) place.current = relatedTarget;
    };
    inside?.addEventListener('focusin', enter);
    return () => inside?.removeEventListener('focusin', enter);
  }, [element]);
  return place;
}

/** Hover and focus pause the time. */
function dismissAfterDelay(card: HTMLElement | null, id: number): () => void {
  let remainingMs = DURATION_MS;
  let startedAt = performance.now();
  let timer: number | undefined;
  const check = () => {
    const isPaused = card?.matches(':is(:hover, :focus-within)') ?? false;
    if (timer !== undefined) remainingMs -= performance.now() - startedAt;
    clearTimeout(timer);
    startedAt = performance.now();
    timer = isPaused ? undefined : window.setTimeout(() => dismiss(id), Math.max(remainingMs, 0));
  };
  check();
  const pauseEvents = ['pointerenter', 'pointerleave', 'focusin', 'focusout'] as const;
  // In the next frame the element's new state can be read.
  const checkNextFrame = () => requestAnimationFrame(check);
  for (const name of pauseEvents) card?.addEventListener(name, checkNextFrame);
  return () => {
    clearTimeout(timer);
    for (const name of pauseEvents) card?.removeEventListener(name, checkNextFrame);
  };
}

const noToasts: readonly Toast[] = [];
const getServerToasts = () => noToasts;

function dismiss(id: number): void {
  setToasts(toasts.filter((each) => each.id !== id));
}

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
