import { ended, startChild } from './child-processes.mjs';
import { node26 } from './node-26.mjs';
import { inProject, root } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm start [-- --take-over]`: sets up what is missing and hands over to the server. The message channel is there only to be closed:
// however this launcher ends, the server sees it and ends too.
await asCommand(async () => {
  await setUp();
  const server = startChild(
    node26(),
    [inProject('api', 'src', 'process', 'main.ts'), ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
  return ended(server);
});
