import { browser } from './browser.mjs';
import { buildPages } from './build-pages.mjs';
import { checkLint, checkTypes } from './checks.mjs';
import { StepFailed } from './child-processes.mjs';
import { runFile, runTool } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';

const ofShop = (name) => ({
  run: (args) =>
    runFile(`api/src/process/${name}.ts`, args, { env: { ...process.env, NODE_ENV: 'production' } }),
});

const tools = { tools: true };
const toolsAndPages = { tools: true, build: true };

const playwright = (...more) => ({
  needs: toolsAndPages,
  run: async (args) =>
    runTool('@playwright/test', 'cli.js', ['test', ...more, ...args], { env: { CHROMIUM: await browser() } }),
});

/** `needs`: set-up before `run`. */
const commands = {
  backup: ofShop('backup'),
  'create-admin': ofShop('create-admin'),
  doctor: ofShop('doctor'),
  'move-pictures': ofShop('move-pictures'),
  'move-to-postgres': ofShop('move-to-postgres'),
  restore: ofShop('restore'),

  build: { run: () => buildPages({ force: true }) },
  /** Writes docs/reference and .env.example. */
  reference: { run: () => runFile('api/src/reference/write-documents.ts', []) },

  lint: { needs: tools, run: async (args) => worst(await checkLint(args)) },
  typecheck: { needs: tools, run: async () => worst(await checkTypes()) },
  'test:watch': { needs: toolsAndPages, run: (args) => runTool('vitest', 'vitest.mjs', ['watch', ...args]) },
  'test:stories': playwright(),
  screenshots: playwright('--config', 'tests/browser/screens/screens.config.ts'),
  bench: {
    needs: toolsAndPages,
    async run(names) {
      const needsBrowser = names.length === 0 || names.includes('weight');
      return runFile('bench/run.ts', names, { env: needsBrowser ? { CHROMIUM: await browser() } : {} });
    },
  },
  mutation: { needs: toolsAndPages, run: (args) => runFile('tests/mutation/run.ts', args) },
  torture: { needs: toolsAndPages, run: (args) => runFile('tests/torture/run.ts', args) },
  cluster: { needs: toolsAndPages, run: (args) => runFile('tests/cluster/run.ts', args) },
};

const worst = (checks) => Math.max(...checks.map(({ status }) => status));

// Commands of package.json without a file of their own.
await asCommand(async () => {
  const [name, ...args] = process.argv.slice(2);
  if (!Object.hasOwn(commands, name)) throw new StepFailed(`Commands: ${Object.keys(commands).join(', ')}`);
  const { needs = {}, run } = commands[name];
  await setUp({ build: false, ...needs });
  return run(args);
});
