import { watch } from 'node:fs';
import { ended, startChild } from './child-processes.mjs';
import { node26 } from './node-26.mjs';
import { say } from './progress.mjs';
import { inProject, root } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run dev`: the same one process as `npm start`, with its pages straight from their sources. A change of a page
// shows at once; a change of server code starts the server anew. Node's own --watch would outlive a killed launcher.
const sources = ['api/src', 'contract/src', 'packages/card-sandbox/src'];
const settleMs = 100;

await asCommand(async () => {
  await setUp({ build: false });
  const change = watchSources();
  for (;;) {
    const changed = change.next();
    const server = startServer();
    const status = ended(server);
    const what = await Promise.race([changed.then(() => 'changed'), status.then(() => 'ended')]);
    if (what === 'ended') {
      // Ended by itself: a mistake in the code or the settings, which the next change may mend.
      say(`The server ended (${await status}); waiting for a change.`);
      await changed;
    } else {
      say('The server code changed: starting anew.');
      server.kill('SIGTERM');
      await status;
    }
  }
});

function startServer() {
  return startChild(node26(), [inProject('api', 'src', 'process', 'main.ts')], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'development', LIVE_PAGES: '1' },
  });
}

/** One event for a burst of changes, such as an editor's or a branch switch's. */
function watchSources() {
  let tell = () => {};
  let timer;
  for (const folder of sources) {
    watch(inProject(folder), { recursive: true }, (_kind, name) => {
      if (name?.includes('.test.')) return;
      clearTimeout(timer);
      timer = setTimeout(() => tell(), settleMs);
    });
  }
  return {
    next: () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
  };
}
