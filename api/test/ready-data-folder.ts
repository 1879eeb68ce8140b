import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createThrowAwayFolder } from '@parts-forge/embedded-postgres/throw-away-folder';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** With all tables and an administrator. Tests copy it. */
    readyDataFolder: string;
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** `initdb`, migrations and a password hash once a run, for the first project that needs them. */
export default function provideReadyDataFolder({ vitest }: TestProject): (() => void) | undefined {
  if ('readyDataFolder' in vitest.getProvidedContext()) return undefined;
  const place = createThrowAwayFolder();
  const dataDir = join(place, 'data');
  execFileSync(process.execPath, ['api/src/process/create-admin.ts', 'admin@parts-forge.example'], {
    cwd: root,
    input: 'the first administrator',
    stdio: 'pipe',
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  });
  vitest.provide('readyDataFolder', dataDir);
  return () => rmSync(place, { recursive: true, force: true });
}
