import { type ResolveFnOutput, registerHooks } from 'node:module';

const projectUrl = new URL('../../../', import.meta.url).href;
/** Their internal imports all lead to ES modules. */
const ofModulesOnly = /\/node_modules\/(drizzle-orm|jose|zod)\//;

/**
 * Speeds up import resolution; call once, before the shop loads.
 *
 * For each of 2,000 imports Node stats the file and parses the package.json files above. Relative imports
 * need none of that. A start with data takes 0.52 s, without this 0.92 s (2026-11-29). Delete it once Node
 * caches resolved imports.
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

function readWorkspace(url: string): string | null {
  if (!url.startsWith(projectUrl)) return null;
  const path = url.slice(projectUrl.length);
  if (path.includes('node_modules/') || !path.includes('/src/')) return null;
  return path.slice(0, path.indexOf('/src/'));
}
