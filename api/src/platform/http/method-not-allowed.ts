import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';

/** Methods that a path takes although another one was asked, by the routes that were registered. */
export interface KnownPaths {
  /** @throws Problem `wrong-method` with what is allowed when the path is known with other methods */
  refuseWrongMethod(method: string, path: string): void;
}

/** Listens to routes being registered; call it before the first one. */
export function knowPaths(app: FastifyInstance): KnownPaths {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const pattern = new RegExp(`^${url.replace(/[.+()]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);
    const entry = known.get(url) ?? { pattern, methods: new Set() };
    for (const name of [method].flat()) entry.methods.add(name);
    known.set(url, entry);
  });
  return {
    refuseWrongMethod(method, path) {
      // A path that is written out is itself alone, also where a parameter of another could stand for it.
      const writtenOut = known.get(path);
      const matching = writtenOut
        ? [writtenOut]
        : [...known.values()].filter(({ pattern }) => pattern.test(path));
      const allowed = new Set(matching.flatMap(({ methods }) => [...methods]));
      if (allowed.size === 0 || allowed.has(method)) return;
      throw new Problem('wrong-method', { allow: [...allowed].sort().join(', ') });
    },
  };
}
