import { createInterface } from 'node:readline';
import { ended, startChild } from './child-processes.mjs';
import { node26 } from './node-26.mjs';
import { inProject, root } from './project.mjs';

/**
 * A throw-away server of the PostgreSQL that this machine has installed, as an unprivileged user.
 * @returns `undefined` when there is none of version 15 or newer
 */
export async function installedPostgres() {
  const child = startChild(node26(), [inProject('api', 'test', 'installed-postgres.ts')], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const hasEnded = ended(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: line, done } = await lines.next();
  if (done) {
    await hasEnded;
    return undefined;
  }
  const { url, version } = JSON.parse(line);
  const stop = async () => {
    child.stdin.end();
    await hasEnded;
  };
  return { url, version, stop };
}
