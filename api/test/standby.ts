import { type EmbeddedPostgres, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';

/** A PostgreSQL of the test's own. Nobody misses its data. */
export const startPrimary = async (dataDir: string): Promise<{ postgres: EmbeddedPostgres }> => ({
  postgres: await startEmbeddedPostgres({ dataDir, transport: 'socket', settings: { fsync: 'off' } }),
});
