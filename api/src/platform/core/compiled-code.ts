import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

const versions = getCompileCacheDir();

/** The environment in which a process of the shop finds code that is compiled already, and no setting. */
export const compiledCode: Readonly<Record<string, string>> = versions
  ? { NODE_COMPILE_CACHE: dirname(versions) }
  : {};
