import { inspect } from 'node:util';
import { DrizzleQueryError } from 'drizzle-orm';
import { describeError } from '#src/platform/core/log.ts';

/**
 * A failed statement that is printed, by a library or by Node at a crash, shows neither its parameters nor the row that
 * the database quotes: as in the log. Drizzle has no option for it, and Better Auth prints what it catches.
 */
export function hideParameters(): void {
  Object.defineProperty(DrizzleQueryError.prototype, inspect.custom, {
    configurable: true,
    value(this: DrizzleQueryError) {
      return inspect(describeError(this));
    },
  });
}
