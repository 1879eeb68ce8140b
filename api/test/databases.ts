import pg from 'pg';

/** Empty or a copy. @returns its connection */
export async function createDatabase(
  server: pg.PoolConfig,
  name: string,
  template?: string,
): Promise<pg.PoolConfig> {
  // Twice as fast as copying through the log.
  const copy = template === undefined ? '' : ` template ${template} strategy file_copy`;
  await run(server, `create database ${name}${copy}`);
  if (!server.connectionString) return { ...server, database: name };
  const address = new URL(server.connectionString);
  address.pathname = `/${name}`;
  return { ...server, connectionString: address.href };
}

/** Disconnects its clients first. */
export const dropDatabase = (server: pg.PoolConfig, name: string): Promise<void> =>
  run(server, `drop database if exists "${name}" with (force)`);

/** One a server: reconnecting took a quarter of the time of creating a database. */
const pools = new Map<string, pg.Pool>();

async function run(server: pg.PoolConfig, statement: string): Promise<void> {
  const key = JSON.stringify(server);
  const pool = pools.get(key) ?? new pg.Pool({ ...server, max: 1, allowExitOnIdle: true });
  pools.set(key, pool);
  // After a restart of the server, the next statement reconnects.
  pool.removeAllListeners('error').on('error', () => {});
  await pool.query(statement);
}
