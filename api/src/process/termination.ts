const asked = new AbortController();
const alone = new AbortController();

/**
 * Aborted when this process is asked to end: by a signal, or because the launcher that started it is gone. The
 * launcher keeps a message channel open for nothing else, so even its sudden death is noticed.
 *
 * Imported before everything else: what happens while the rest is loaded must not be missed. Asking again changes
 * nothing, as Ctrl-C reaches both the launcher, which passes it on, and this process.
 */
export const termination: AbortSignal = asked.signal;

/** Aborted when the launcher is gone: nobody waits for this process any more, so its end must not take long. */
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
