import { inspect } from 'node:util';
import { DrizzleQueryError } from 'drizzle-orm';
import { describeError } from '#src/platform/core/log.ts';

/**
 * Keeps parameters and quoted rows out of printed errors. Drizzle has no option for it, and Better Auth
 * prints errors that it catches.
 */
export function hideParameters(): void {
  Object.defineProperty(DrizzleQueryError.prototype, inspect.custom, {
    configurable: true,
    value(this: DrizzleQueryError) {
      return inspect(describeError(this));
    },
  });
}
