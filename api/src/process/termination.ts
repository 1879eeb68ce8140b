const controller = new AbortController();

/**
 * Aborted when this process is asked to end: by a signal, or because the launcher that started it is gone. The
 * launcher keeps a message channel open for nothing else, so even its sudden death is noticed.
 *
 * Imported before everything else: what happens while the rest is loaded must not be missed. Asking again changes
 * nothing, as Ctrl-C reaches both the launcher, which passes it on, and this process.
 */
export const termination: AbortSignal = controller.signal;

const end = () => controller.abort();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
process.on('disconnect', end);
const hadLauncher = process.send !== undefined;
if (hadLauncher && !process.connected) end();
