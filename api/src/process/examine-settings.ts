import { setTimeout } from 'node:timers/promises';
import { hasDatabase } from '@parts-forge/embedded-postgres/database-folder';
import { fails } from '#src/doctor/check.ts';
import { checks } from '#src/doctor/checks.ts';
import { examine, type Report } from '#src/doctor/examine.ts';
import { type Config, ConfigError, readConfig } from '#src/platform/core/config.ts';
import { type ConnectedDatabase, connectBesideShop, connectToUrl } from './connect-database.ts';
import { findPort } from './listen.ts';

const CLOSE_TIMEOUT_MS = 5_000;

/** Examines the shop of these environment variables. */
export async function examineSettings(env: NodeJS.ProcessEnv): Promise<Report[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // No other check works with wrong settings.
    return [{ title: 'Settings', findings: error.sentences.map(fails) }];
  }
  let connecting: Promise<ConnectedDatabase | null> | undefined;
  const openDatabase = async () => {
    connecting ??= connect(config);
    return (await connecting)?.database ?? null;
  };
  try {
    // As the start does, at any port, since a running shop has its own.
    const host = await findPort({ host: config.host, port: 0 }).then(
      () => [],
      (error: unknown) => [fails(error instanceof Error ? error.message : String(error))],
    );
    return [{ title: 'Host', findings: host }, ...(await examine(checks, { config, openDatabase }))];
  } finally {
    const closing = connecting?.then(
      (connection) => connection?.close(),
      () => {},
    );
    // A hanging database must not hold back the report.
    await Promise.race([closing, setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

/** Must create neither a database nor a folder. */
async function connect(config: Config): Promise<ConnectedDatabase | null> {
  const { databaseUrl } = config;
  if (databaseUrl !== null)
    return connectToUrl(config, databaseUrl, { onError: () => {} }, { changesNothing: true });
  return hasDatabase(config.dataDir) ? connectBesideShop(config, () => {}) : null;
}
