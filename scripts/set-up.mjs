import { arePagesBuilt, buildPages } from './build-pages.mjs';
import { StepFailed } from './child-processes.mjs';
import { arePackagesInstalled, installPackages, removeUnread } from './install.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { say } from './progress.mjs';

/**
 * Takes milliseconds when nothing is missing.
 * @param options `tools`: include development packages
 */
export async function setUp({ build = true, tools = false } = {}) {
  if (arePackagesInstalled({ tools }) && (!build || arePagesBuilt())) return;
  await oneAtATime(async () => {
    const isNew = await installPackages({ tools });
    // The build reads none of the removed files.
    await Promise.all([isNew && !tools && removeUnread(), build && buildPages()]);
  });
}

/** Errors that a person can fix become plain text, with exit status 1. */
export async function asCommand(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    const isUnwritable = ['EACCES', 'EPERM', 'EROFS'].includes(error?.code);
    if (error instanceof StepFailed) say(error.message);
    else if (isUnwritable) say(`The project's folder cannot be written: ${error.path ?? error.message}`);
    else say(String(error?.stack ?? error));
    process.exitCode = 1;
  }
}
