import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runQuietly } from './child-processes.mjs';
import { say, withProgress } from './progress.mjs';

/** Debian keeps some programs outside of users' PATH. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** As root it installs Debian's package of the same name. */
export async function ensureProgram(name) {
  const find = () => folders.map((folder) => join(folder, name)).find(existsSync);
  if (find() === undefined) await installDebianPackage(name).catch(({ message }) => say(message));
  return find();
}

/** Does nothing without root or Debian. @throws StepFailed when apt-get fails */
export async function installDebianPackage(name) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await withProgress(`Installing Debian's ${name} (once)`, async () => {
    await runQuietly('apt-get', ['update'], options);
    await runQuietly('apt-get', ['install', '-y', '--no-install-recommends', name], options);
  });
}
