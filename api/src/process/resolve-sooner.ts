import { type ResolveFnOutput, registerHooks } from 'node:module';

const projectUrl = new URL('../../../', import.meta.url).href;
/** Packages all of whose files that are imported within them are modules. */
const ofModulesOnly = /\/node_modules\/(drizzle-orm|jose|zod)\//;

/**
 * Spares Node what it does again and again while it finds the files of imports; changes nothing else. For a process
 * that is about to load the shop; may be called once, before it does (docs/decisions/0077).
 *
 * For each of two thousand imports Node asks the disk for the file, its real path and every package.json above it,
 * and parses the package.json of a package anew. An import that names its file as the project's own do is its own
 * answer; that of a package is found once for each workspace.
 */
export function resolveSooner(): void {
  const found = new Map<string, ResolveFnOutput>();
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '', conditions } = context;
      if (specifier.startsWith('node:') || !conditions.includes('import')) return next(specifier, context);
      if (ofModulesOnly.test(parentURL) && /^\..*\.js$/.test(specifier)) {
        return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
      }
      const workspace = readWorkspace(parentURL);
      if (workspace === null) return next(specifier, context);
      if (specifier.startsWith('.')) {
        if (!specifier.endsWith('.ts')) return next(specifier, context);
        return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
      }
      const key = `${workspace} ${specifier}`;
      const result = found.get(key) ?? { ...next(specifier, context), shortCircuit: true };
      found.set(key, result);
      return result;
    },
  });
}

/** The folder of the project's own file, of which all files find the same packages; null for files of others. */
function readWorkspace(url: string): string | null {
  if (!url.startsWith(projectUrl)) return null;
  const path = url.slice(projectUrl.length);
  if (path.includes('node_modules/') || !path.includes('/src/')) return null;
  return path.slice(0, path.indexOf('/src/'));
}
