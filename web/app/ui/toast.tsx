import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';

type ToastKind = 'success' | 'error' | 'info';
interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
}

/** How long a toast stays, in milliseconds (specification §9). */
const STAY_MS = 5000;
const signs = { success: CircleCheck, error: CircleAlert, info: Info };

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/**
 * Shows a message at the top right for five seconds; it outlives a navigation. One that is still there is not shown
 * twice, but anew. Callable from anywhere in the browser.
 */
export function toast(kind: ToastKind, text: string): void {
  lastId += 1;
  const others = toasts.filter((each) => each.kind !== kind || each.text !== text);
  change([...others, { id: lastId, kind, text }]);
}

/** Where toasts appear. Stands in the page from the start, so that screen readers announce what comes in. */
export function ToastRegion() {
  const shown = useSyncExternalStore(subscribe, () => toasts, none);
  return (
    // Under the bar, so that a menu opened from it can be used.
    <section aria-label="Messages" className="fixed right-[var(--gutter)] top-20 z-35 grid gap-2">
      <div role="status" aria-live="polite" className="grid gap-2">
        {shown.map((each) => (
          <ToastCard key={each.id} {...each} />
        ))}
      </div>
    </section>
  );
}

function ToastCard({ id, kind, text }: Toast) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => dismissAfterDelay(card.current, id), [id]);
  return (
    <div ref={card} className="pf-toast" data-kind={kind}>
      <Icon of={signs[kind]} className="" />
      <p className="whitespace-pre-wrap py-0 font-medium">{text}</p>
      <button
        type="button"
        className="btn btn-ghost btn-square -my-1 size-8"
        aria-label="Dismiss message"
        onClick={() => dismiss(id)}
      >
        <Icon of={X} className="size-4" />
      </button>
    </div>
  );
}

/** Closes the toast when its time is up; the clock stands still while it is hovered or holds the focus. */
function dismissAfterDelay(card: HTMLElement | null, id: number): () => void {
  let leftMs = STAY_MS;
  let since = performance.now();
  let timer: number | undefined;
  const check = () => {
    const held = card?.matches(':is(:hover, :focus-within)') ?? false;
    if (timer !== undefined) leftMs -= performance.now() - since;
    clearTimeout(timer);
    since = performance.now();
    timer = held ? undefined : window.setTimeout(() => dismiss(id), Math.max(leftMs, 0));
  };
  check();
  const moves = ['pointerenter', 'pointerleave', 'focusin', 'focusout'] as const;
  // A moment later, when the element's new state can be read.
  const later = () => requestAnimationFrame(check);
  for (const move of moves) card?.addEventListener(move, later);
  return () => {
    clearTimeout(timer);
    for (const move of moves) card?.removeEventListener(move, later);
  };
}

const empty: readonly Toast[] = [];
const none = () => empty;

function dismiss(id: number): void {
  change(toasts.filter((each) => each.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
