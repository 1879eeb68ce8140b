import { ended, startChild } from './child-processes.mjs';
import { node26 } from './node-26.mjs';
import { inProject, root } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run move-to-postgres -- <address>`, with the settings that `npm start` runs with.
await asCommand(async () => {
  await setUp({ build: false });
  const [, , ...args] = process.argv;
  return ended(
    startChild(node26(), [inProject('api', 'src', 'process', 'move-to-postgres.ts'), ...args], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    }),
  );
});
