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
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  await client.end();
  if (!server.connectionString) return { ...server, database: name };
  const address = new URL(server.connectionString);
  address.pathname = `/${name}`;
  return { ...server, connectionString: address.href };
}
