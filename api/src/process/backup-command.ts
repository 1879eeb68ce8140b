import path from 'node:path';
import { EmbeddedPostgresError } from '@parts-forge/embedded-postgres/errors';
import { StartError } from '#src/platform/core/start-error.ts';
import { explainPostgresError } from './explain-postgres-error.ts';
import { say } from './say.ts';

export function readFolderAndOption(
  args: readonly string[],
  option: string,
): { folder: string; isSet: boolean } | null {
  const [folder, ...rest] = args.filter((arg) => arg !== option);
  if (folder === undefined || folder.startsWith('-') || rest.length > 0) return null;
  return { folder: path.resolve(folder), isSet: args.includes(option) };
}

/** Exit status: 1 after an explained failure, 130 after Ctrl-C. */
export async function runCommand(work: () => Promise<void>, signal: AbortSignal): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (signal.aborted) {
      say('Stopped; nothing was left behind.');
      return 130;
    }
    const sentence = explain(error);
    if (sentence === null) throw error;
    say(sentence);
    return 1;
  }
}

function explain(error: unknown): string | null {
  if (error instanceof EmbeddedPostgresError) return explainPostgresError(error);
  if (error instanceof StartError) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOSPC':
      return 'The disk is full.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `Not allowed: ${error instanceof Error ? error.message : code}`;
    default:
      return null;
  }
}

export const formatBytes = (bytes: number): string => `${Math.max(1, Math.round(bytes / 1e6))} MB`;
