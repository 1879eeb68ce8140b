import { ended, startChild } from './child-processes.mjs';
import { node26 } from './node-26.mjs';
import { inProject, root } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

/** Types are stripped and code is compiled once, not at every start: a fifth of its processor time. */
const compiled = { NODE_COMPILE_CACHE: inProject('.cache', 'compiled') };

/**
 * What Node takes from the system and does not give back, bounded (docs/decisions/0077): new objects get 8 MB at a time
 * instead of 32, and glibc keeps two heaps for all threads instead of eight for each core.
 */
const memory = { flags: ['--max-semi-space-size=8'], environment: { MALLOC_ARENA_MAX: '2' } };

// `npm start [-- --take-over]`: sets up what is missing and hands over to the server. The message channel is there only to be closed:
// however this launcher ends, the server sees it and ends too.
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
