import { readdirSync, rmSync } from 'node:fs';
import { ended, StepFailed, startChild } from './child-processes.mjs';
import { npm } from './install.mjs';
import { withNode26OnPath } from './node-26.mjs';
import { say } from './progress.mjs';
import { inProject } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

// Not in the lock file: it would install old versions of esbuild everywhere.
const drizzleKit = 'drizzle-kit@0.31.11';

// `npm run migration -- <name>`: from the last migration to the schema files. Needs the network the first
// time.
await asCommand(async () => {
  const [name = '', ...more] = process.argv.slice(2);
  if (!/^[a-z][a-z0-9_]*$/.test(name) || more.length > 0) {
    throw new StepFailed('Usage: npm run migration -- <name>, such as add_order_note.');
  }
  await setUp({ build: false, tools: true });
  const { command, before, shell } = npm();
  // Within the project, so that the tool finds drizzle-orm.
  const npx = ['exec', '--yes', '--ignore-scripts', `--cache=${inProject('.cache', 'npx')}`];
  const earlier = listFiles('.sql');
  const earlierSnapshots = listFiles('_snapshot.json', 'meta');
  const status = await ended(
    startChild(
      command,
      [...before, ...npx, `--package=${drizzleKit}`, '--', 'drizzle-kit', 'generate', `--name=${name}`],
      { cwd: inProject('api'), shell, env: withNode26OnPath() },
    ),
  );
  for (const file of listFiles('.sql').filter((present) => !earlier.includes(present))) {
    say(`Read api/migrations/${file} and finish it by hand; once it is released it is never edited again.`);
    // Drizzle reads the last snapshot only, and each has thousands of lines.
    for (const snapshot of earlierSnapshots) rmSync(inProject('api', 'migrations', 'meta', snapshot));
  }
  return status;
});

/** @param folder within `api/migrations` */
function listFiles(ending, folder = '.') {
  return readdirSync(inProject('api', 'migrations', folder)).filter((file) => file.endsWith(ending));
}
