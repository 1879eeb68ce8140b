import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#src/embedded-postgres.ts';
import { createThrowAwayFolder } from '#src/throw-away-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with a database that was stopped in order. Tests copy it. */
    stoppedDatabase: string;
  }
}

/** One `initdb` for the tests that need a database and not its first start. */
export default async function provideStoppedDatabase(project: TestProject): Promise<() => void> {
  const dataDir = createThrowAwayFolder();
  const postgres = await startEmbeddedPostgres({ dataDir });
  await postgres.stop();
  project.provide('stoppedDatabase', dataDir);
  return () => rmSync(dataDir, { recursive: true, force: true });
}
