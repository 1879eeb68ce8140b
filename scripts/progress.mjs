const isTerminal = process.stderr.isTTY === true;

export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Prints a line every ten seconds without a terminal. */
export async function withProgress(text, work) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const show = isTerminal
    ? () => process.stderr.write(`\r${text} … ${seconds()} s`)
    : () => say(`${text} … ${seconds()} s`);
  if (isTerminal) show();
  else say(`${text} …`);
  const timer = setInterval(show, isTerminal ? 1000 : 10_000);
  try {
    const result = await work();
    const done = `${text}: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
    process.stderr.write(isTerminal ? `\r${done}   \n` : `${done}\n`);
    return result;
  } catch (error) {
    if (isTerminal) process.stderr.write('\n');
    throw error;
  } finally {
    clearInterval(timer);
  }
}
