import { hasDatabase } from '@parts-forge/embedded-postgres/database-folder';
import { moveShop } from '#src/backup/move-shop.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import { runCommand } from './backup-command.ts';
import { connectDatabase, goPastPooler, listenForCommand } from './connect-database.ts';
import { say } from './say.ts';
import { termination } from './termination.ts';

// `npm run move-to-postgres -- <address>`
process.exit(await runCommand(run, termination));

async function run(): Promise<void> {
  const [address, ...rest] = process.argv.slice(2);
  const env = address === undefined ? process.env : { ...process.env, DATABASE_URL: address };
  const config = readConfig(env);
  const { databaseUrl } = goPastPooler(config);
  if (databaseUrl === null || rest.length > 0) {
    throw new StartError('Usage: npm run move-to-postgres -- <address>, or with DATABASE_URL set.');
  }
  if (!hasDatabase(config.dataDir)) {
    throw new StartError(`There is no shop in ${config.dataDir}: set DATA_DIR to the folder of the shop.`);
  }
  await using opened = new AsyncDisposableStack();
  const connect = async (url: string | null) => {
    const connected = await connectDatabase(
      { ...config, databaseUrl: url, databaseDirectUrl: null },
      listenForCommand(say),
    );
    opened.defer(() => connected.close());
    return connected.database;
  };
  const target = await connect(databaseUrl);
  const source = await connect(null);
  const { host, pathname } = new URL(databaseUrl);
  const targetName = `${host}${pathname}`;
  const tables = await moveShop({ source, target, targetName, signal: termination, say });
  const rows = tables.reduce((sum, { count }) => sum + count, 0);
  say(`The shop is in ${targetName}: ${rows} rows in ${tables.length} tables, every table compared.`);
  say(`Start it with DATABASE_URL, and with the same DATA_DIR: its pictures stay in ${config.dataDir}.`);
}
