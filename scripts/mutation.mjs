import { ended, startChild } from './child-processes.mjs';
import { node26, withNode26OnPath } from './node-26.mjs';
import { inProject, root } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run mutation`: whether the tests notice a changed rule; minutes. `-- --with-database` tries what needs the
// database, too. Names behind it (`npm run mutation -- money orders`) try those modules alone.
await asCommand(async () => {
  await setUp({ tools: true });
  return ended(
    startChild(node26(), [inProject('tests', 'mutation', 'run.ts'), ...process.argv.slice(2)], {
      cwd: root,
      env: withNode26OnPath(),
    }),
  );
});
