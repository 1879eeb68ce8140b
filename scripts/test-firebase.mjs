import { existsSync, readFileSync } from 'node:fs';
import { browser } from './browser.mjs';
import { runQuietly } from './child-processes.mjs';
import { npm } from './install.mjs';
import { node26 } from './node-26.mjs';
import { withProgress } from './progress.mjs';
import { inProject } from './project.mjs';
import { runTool } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run test:firebase`: sign-in by the real client of Firebase in a browser, against Firebase's own emulator. Not part
// of `npm test`: the emulator is 630 packages and 310 MB, which are installed into `hosted-tests` when they are needed.
const folder = inProject('hosted-tests');

await asCommand(async () => {
  await setUp({ tools: true });
  await installEmulator();
  const env = { CHROMIUM: await browser(), NODE_26: node26() };
  const config = inProject('hosted-tests', 'playwright.config.ts');
  return runTool('@playwright/test', 'cli.js', ['test', '--config', config, ...process.argv.slice(2)], {
    env,
  });
});

async function installEmulator() {
  if (isEmulatorInstalled()) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { command, before, shell } = npm();
  await withProgress("Installing Firebase's emulator (about half a minute, once)", () =>
    runQuietly(command, [...before, ...args], { cwd: folder, shell }),
  );
}

/** The one package that is asked for, in the version that is asked for. */
function isEmulatorInstalled() {
  const file = inProject('hosted-tests', 'node_modules', 'firebase-tools', 'package.json');
  if (!existsSync(file)) return false;
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const { devDependencies } = read(inProject('hosted-tests', 'package.json'));
  return read(file).version === devDependencies['firebase-tools'];
}
