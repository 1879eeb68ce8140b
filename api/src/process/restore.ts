import type { PoolConfig } from 'pg';
import { restoreShop } from '#src/backup/restore-shop.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import { openDatabase } from '#src/platform/database/connection.ts';
import { readFolderAndOption, runCommand } from './backup-command.ts';
import { assertUsable, embeddedNames, goPastPooler } from './connect-database.ts';
import { say } from './say.ts';
import { termination } from './termination.ts';

// `npm run restore -- <folder> [--replace]`
process.exit(await runCommand(run, termination));

async function run(): Promise<void> {
  const given = readFolderAndOption(process.argv.slice(2), '--replace');
  if (!given) throw new StartError('Usage: npm run restore -- <folder> [--replace]');
  const config = goPastPooler(readConfig(process.env));
  // Not counted as a running shop under this name.
  const open = (connection: PoolConfig) =>
    openDatabase({ ...connection, application_name: 'parts-forge restore' }, config, (error) =>
      say(error.message),
    );
  const { databaseUrl } = config;
  if (databaseUrl !== null) {
    const database = open({ connectionString: databaseUrl });
    await assertUsable(database, databaseUrl).finally(() => database.close());
  }
  const { manifest, aside } = await restoreShop({
    config,
    folder: given.folder,
    replaces: given.isSet,
    embeddedNames,
    open,
    signal: termination,
    say,
  });
  if (aside) say(`What was there before is in ${aside}.`);
  say(
    `Restored the shop of ${manifest.madeAt}. It is a copy with an id of its own, takes no keys and gives no money of that shop back; ` +
      'to put it in its place, start it once with: npm start -- --take-over',
  );
}
