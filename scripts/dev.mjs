import { existsSync, watch } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { ended, StepFailed, startChild } from './child-processes.mjs';
import { freePort } from './free-port.mjs';
import { node26 } from './node-26.mjs';
import { say } from './progress.mjs';
import { inProject, requireFromRoot, root } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run dev`. Node's --watch would outlive a killed launcher. `--inspect` opens the debugger on port
// 9229 or a free one.
const sources = ['api/src', 'contract/src', 'packages'];
const settleMs = 100;
const usualInspectorPort = 9229;

await asCommand(async () => {
  const inspect = wantsInspector(process.argv.slice(2));
  await setUp({ build: false, tools: true });
  const options = inspect ? inspectorOptions(await freePort(usualInspectorPort)) : [];
  const readable = readableLines();
  const change = watchSources();
  for (;;) {
    const changed = change.next();
    const server = startServer(options);
    createInterface({ input: server.stdout }).on('line', (line) => process.stdout.write(readable(line)));
    const status = ended(server);
    const what = await Promise.race([changed.then(() => 'changed'), status.then(() => 'ended')]);
    if (what === 'ended') {
      // An error in code or settings, which the next change may fix.
      say(`The server ended (${await status}); waiting for a change.`);
      await changed;
    } else {
      say('The server code changed: restarting.');
      // On SIGTERM the pages' tools exit before the shop has closed.
      server.kill('SIGINT');
      await status;
    }
  }
});

function wantsInspector(args) {
  if (args.some((arg) => arg !== '--inspect')) throw new StepFailed('Usage: npm run dev [-- --inspect]');
  return args.length > 0;
}

/** The same port for each restart, so that a debugger reconnects. */
function inspectorOptions(port) {
  const closer = pathToFileURL(inProject('scripts', 'close-inspector.mjs'));
  return [`--inspect=127.0.0.1:${port}`, `--import=${closer}`];
}

function startServer(options) {
  return startChild(node26(), [...options, inProject('api', 'src', 'process', 'main.ts')], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'development', LIVE_PAGES: '1' },
  });
}

/** In this process, as Ctrl-C would end a piped program before the server's last lines. */
function readableLines() {
  const { prettyFactory } = requireFromRoot('pino-pretty');
  return prettyFactory({
    colorize: process.stdout.isTTY === true,
    ignore: 'pid,hostname',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });
}

/** Debounces bursts, such as a switch of branches. */
function watchSources() {
  let tell = () => {};
  let timer;
  for (const folder of sources.map((source) => inProject(source)).filter(existsSync)) {
    watch(folder, { recursive: true }, (_kind, name) => {
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
