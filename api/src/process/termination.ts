const asked = new AbortController();
const alone = new AbortController();

/**
 * Aborts when this process has to end: by a signal, or because its launcher is gone. The launcher keeps a
 * message channel open only for this, so even its sudden death is noticed.
 *
 * Import this first, so that no signal is missed while the rest loads. Repeated requests change nothing:
 * Ctrl-C reaches both the launcher, which passes it on, and this process.
 */
export const termination: AbortSignal = asked.signal;

/** Aborts when the launcher is gone. Nobody waits for this process then, so it ends fast. */
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
