import { type ResolveFnOutput, registerHooks } from 'node:module';

const inDrizzle = /\/node_modules\/drizzle-orm\//;
const isDrizzle = /^drizzle-orm($|\/)/;

/**
 * Spares Node what it does again and again while it loads drizzle-orm; changes nothing else. For a process that is
 * about to load the shop; may be called once, before it does (docs/decisions/0077).
 *
 * Node parses the package.json of a package anew for every import of it and for each of its files. drizzle-orm's has
 * 179 kB and was parsed two hundred times, which took half of all the time before the port was open.
 */
export function resolveDrizzleOnce(): void {
  const resolved = new Map<string, ResolveFnOutput>();
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('.') && inDrizzle.test(context.parentURL ?? '')) {
        return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
      }
      if (!isDrizzle.test(specifier)) return next(specifier, context);
      const key = `${specifier} ${context.conditions}`;
      const result = resolved.get(key) ?? { ...next(specifier, context), shortCircuit: true };
      resolved.set(key, result);
      return result;
    },
  });
}
