const asked = new AbortController();
const alone = new AbortController();

/**
 * Aborts on a signal, or when the launcher's message channel closes, as at its sudden death.
 *
 * Import this first, so that no signal is missed. Ctrl-C arrives twice, the second time through the
 * launcher.
 */
export const termination: AbortSignal = asked.signal;

/** Nobody waits then, so the shutdown is short. */
export const abandonment: AbortSignal = alone.signal;

const end = () => asked.abort();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
const endAlone = () => {
  alone.abort();
  asked.abort();
};
process.on('disconnect', endAlone);
const hadLauncher = process.send !== undefined;
if (hadLauncher && !process.connected) endAlone();
