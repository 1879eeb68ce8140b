import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#src/embedded-postgres.ts';
import { createThrowAwayFolder } from '#test/throw-away-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with a cleanly stopped database. Tests copy it. */
    stoppedDatabase: string;
  }
}

/** Runs `initdb` once for tests that need no first start. */
export default async function provideStoppedDatabase(project: TestProject): Promise<() => void> {
  const dataDir = createThrowAwayFolder();
  const postgres = await startEmbeddedPostgres({ dataDir });
  await postgres.stop();
  project.provide('stoppedDatabase', dataDir);
  return () => rmSync(dataDir, { recursive: true, force: true });
}
