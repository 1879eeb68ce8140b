import { createInterface } from 'node:readline';
import { ended, startChild } from './child-processes.mjs';
import { installDebianPackage } from './installed-programs.mjs';
import { node26 } from './node-26.mjs';
import { say } from './progress.mjs';
import { inProject, root } from './project.mjs';

/** As root it installs Debian's package if missing. `undefined` without version 15 or newer. */
export async function installedPostgres() {
  const server = await startServer();
  if (server) return server;
  await installDebianPackage('postgresql').catch(({ message }) => say(message));
  return startServer();
}

async function startServer() {
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
