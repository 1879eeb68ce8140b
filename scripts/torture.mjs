import { ended, startChild } from './child-processes.mjs';
import { node26, withNode26OnPath } from './node-26.mjs';
import { inProject, root } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run torture -- <minutes>`: a shop at work that is killed, stopped, starved and flooded; see `torture/README.md`.
await asCommand(async () => {
  await setUp({ tools: true });
  return ended(
    startChild(node26(), [inProject('torture', 'run.ts'), ...process.argv.slice(2)], {
      cwd: root,
      env: withNode26OnPath(),
    }),
  );
});
