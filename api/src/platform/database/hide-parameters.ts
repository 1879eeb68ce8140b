import { inspect } from 'node:util';
import { DrizzleQueryError } from 'drizzle-orm';
import { describeError } from '#src/platform/core/log.ts';

/**
 * Drizzle has no option to keep parameters and rows out of printed errors, and Better Auth prints errors
 * that it catches.
 */
export function hideParameters(): void {
  Object.defineProperty(DrizzleQueryError.prototype, inspect.custom, {
    configurable: true,
    value(this: DrizzleQueryError) {
      return inspect(describeError(this));
    },
  });
}
