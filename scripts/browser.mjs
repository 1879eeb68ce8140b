import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runQuietly, StepFailed } from './child-processes.mjs';
import { installDebianPackage } from './installed-programs.mjs';
import { node26, withNode26OnPath } from './node-26.mjs';
import { withProgress } from './progress.mjs';
import { requireFromRoot } from './project.mjs';

// Stories take half the time without windows.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome.exe',
];
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  `${process.env.PROGRAMFILES}\\Google\\Chrome\\Application\\chrome.exe`,
];

/**
 * CHROMIUM, an installed browser, Playwright's own, or a newly installed one (as root, Debian's).
 * @throws StepFailed
 */
export async function browser() {
  const installed = installedBrowser();
  if (installed) return installed;
  const refusals = [];
  for (const install of [() => installDebianPackage('chromium-headless-shell'), installPlaywrightsOwn]) {
    await install().catch((error) => refusals.push(error.message));
    const installed = installedBrowser();
    if (installed) return installed;
  }
  throw new StepFailed(
    `No browser for the tests: install Chromium or Chrome, or set CHROMIUM to one.\n${refusals.join('\n')}`,
  );
}

function installedBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...usualPlaces, playwrightsOwn()].find(
    (program) => existsSync(program) && runs(program),
  );
}

/** Some systems have a stub there that only explains the installation. */
function runs(program) {
  // Chrome on Windows opens a window for `--version`.
  if (process.platform === 'win32') return true;
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

function playwrightsOwn() {
  return requireFromRoot('@playwright/test').chromium.executablePath();
}

async function installPlaywrightsOwn() {
  const cli = join(dirname(requireFromRoot.resolve('@playwright/test/package.json')), 'cli.js');
  await withProgress("Installing Playwright's Chromium (once)", () =>
    runQuietly(node26(), [cli, 'install', 'chromium'], { env: withNode26OnPath() }),
  );
}
