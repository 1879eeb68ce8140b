import { hasDatabase } from '@parts-forge/embedded-postgres/database-folder';
import { backUpShop } from '#src/backup/back-up-shop.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import { formatBytes, readFolderAndOption, runCommand } from './backup-command.ts';
import { connectBesideShop, goPastPooler } from './connect-database.ts';
import { say } from './say.ts';
import { termination } from './termination.ts';

// `npm run backup -- <folder>`. Accepts the obsolete `--rows`, for old cron jobs.
process.exit(await runCommand(run, termination));

async function run(): Promise<void> {
  const given = readFolderAndOption(process.argv.slice(2), '--rows');
  if (!given) throw new StartError('Usage: npm run backup -- <folder>');
  const { folder } = given;
  const config = goPastPooler(readConfig(process.env));
  if (config.databaseUrl === null && !hasDatabase(config.dataDir)) {
    throw new StartError(`There is no shop in ${config.dataDir}: set DATA_DIR to the folder of the shop.`);
  }
  const { database, close } = await connectBesideShop(config, say);
  try {
    const manifest = await backUpShop({ config, database, folder, signal: termination, say });
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    say(`The backup is in ${folder}: ${formatBytes(bytes)} in ${manifest.files.length} files.`);
    say('It has addresses, password hashes and secrets of the shop: keep it where nobody else can read it.');
  } finally {
    await close();
  }
}
