import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';

export type RouteMethods = ReturnType<typeof collectRouteMethods>;

/** A wrong method is 405, an unknown path 404. Call before the first route. */
export function collectRouteMethods(app: FastifyInstance) {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const pattern = new RegExp(`^${url.replace(/[.+()]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);
    const route = routes.get(url) ?? { pattern, methods: new Set() };
    for (const name of [method].flat()) route.methods.add(name);
    routes.set(url, route);
  });
  return {
    refuseWrongMethod({ method, url, is404, routeOptions }: FastifyRequest): void {
      const [path = '/'] = url.split('?');
      // A literal path matches itself alone, even when another route's parameter fits.
      const literal = routes.get(path);
      if (!is404 && (!literal || !routeOptions.url?.includes(':'))) return;
      const matching = literal ? [literal] : [...routes.values()].filter(({ pattern }) => pattern.test(path));
      const allowed = new Set(matching.flatMap(({ methods }) => [...methods]));
      if (allowed.size === 0 || allowed.has(method)) return;
      throw new Problem('wrong-method', { allow: [...allowed].sort().join(', ') });
    },
  };
}
