import { join } from 'node:path';
import { describe, test } from 'vitest';
import { isGone, isOpen, postmasterPid, root, run, settings } from '#test/processes.ts';

describe('npm start', () => {
  test('ends everything when it is told to, when it is killed, and when npm is gone', async () => {
    const given = await settings();
    for (const end of ['SIGTERM', 'SIGKILL'] as const) {
      const launcher = run(['scripts/start.mjs'], given);
      await isOpen(launcher);
      const pid = postmasterPid(given.DATA_DIR);
      launcher.child.kill(end);
      await launcher.ended;
      await isGone(pid);
    }

    // A shell stands for npm: it starts the launcher, tells its own number and is killed without a word.
    const npm = run(['-e', launchAndStay], { ...given, LAUNCHER: join(root, 'scripts', 'start.mjs') });
    await isOpen(npm);
    const pid = postmasterPid(given.DATA_DIR);
    npm.child.kill('SIGKILL');
    await isGone(pid);
  });
});

const launchAndStay = `
  require('node:child_process').spawn(process.execPath, [process.env.LAUNCHER], { stdio: 'inherit' });
  setInterval(() => {}, 1000);
`;
