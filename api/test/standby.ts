import { type EmbeddedPostgres, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';

/** Not durable. */
export const startPrimary = async (dataDir: string): Promise<{ postgres: EmbeddedPostgres }> => ({
  postgres: await startEmbeddedPostgres({ dataDir, transport: 'socket', settings: { fsync: 'off' } }),
});
