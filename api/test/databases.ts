import pg from 'pg';

/**
 * Makes a database on the server, empty or as a copy of another one.
 * @returns how to reach it
 */
export async function createDatabase(
  server: pg.PoolConfig,
  name: string,
  template?: string,
): Promise<pg.PoolConfig> {
  // Copying files takes half of the time of copying pages through the log.
  const copy = template === undefined ? '' : ` template ${template} strategy file_copy`;
  await run(server, `create database ${name}${copy}`);
  if (!server.connectionString) return { ...server, database: name };
  const address = new URL(server.connectionString);
  address.pathname = `/${name}`;
  return { ...server, connectionString: address.href };
}

/** Whoever is still connected to it is thrown out. */
export const dropDatabase = (server: pg.PoolConfig, name: string): Promise<void> =>
  run(server, `drop database if exists "${name}" with (force)`);

async function run(server: pg.PoolConfig, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
