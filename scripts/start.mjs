import { ended, startChild } from './child-processes.mjs';
import { node26 } from './node-26.mjs';
import { inProject, root } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

/** Caches compiled code, which saves a fifth of a start's processor time. */
const compiled = { NODE_COMPILE_CACHE: inProject('.cache', 'compiled') };

/**
 * Bounds memory that Node never returns (docs/decisions/0077): 8 MB steps for new objects instead of 32, and
 * two glibc heaps instead of eight for each core.
 */
const memory = { flags: ['--max-semi-space-size=8'], environment: { MALLOC_ARENA_MAX: '2' } };

// `npm start [-- --take-over]`: sets up what is missing and starts the server. The message channel only
// serves to close: the server ends when this launcher does.
await asCommand(async () => {
  await setUp();
  const server = startChild(
    node26(),
    [...memory.flags, inProject('api', 'src', 'process', 'main.ts'), ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...memory.environment, ...compiled, ...process.env, NODE_ENV: 'production' },
    },
  );
  return ended(server);
});
