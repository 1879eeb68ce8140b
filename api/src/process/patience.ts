import { setTimeout as wait } from 'node:timers/promises';

export function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** `abandonedMs` starts when the launcher is gone. */
export function runOutOfPatience(
  abandonment: AbortSignal,
  { patienceMs, abandonedMs }: { patienceMs: number; abandonedMs: number },
): Promise<void> {
  const pause = (ms: number) => wait(ms, undefined, { ref: false });
  return Promise.race([pause(patienceMs), waitForAbort(abandonment).then(() => pause(abandonedMs))]);
}
