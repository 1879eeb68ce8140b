import { browser } from './browser.mjs';
import { ended, startChild } from './child-processes.mjs';
import { node26, withNode26OnPath } from './node-26.mjs';
import { inProject, root } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run bench`: every measurement of `bench/`, some minutes. With names behind it (`npm run bench -- start reads`)
// those alone, and the last results stay as they are.
await asCommand(async () => {
  const wanted = process.argv.slice(2);
  await setUp({ tools: true });
  const needsBrowser = wanted.length === 0 || wanted.includes('weight') || wanted.includes('interactions');
  const chromium = needsBrowser ? { CHROMIUM: await browser() } : {};
  return ended(
    startChild(node26(), [inProject('bench', 'run.ts'), ...wanted], {
      cwd: root,
      env: { ...withNode26OnPath(), ...chromium },
    }),
  );
});
