import { createTimeOrderedIds } from '#src/platform/core/ids.ts';

/** An id for something that happened then: ids rise with time. */
export const makeIdAt = (at: Date): string => createTimeOrderedIds({ now: () => at }).next();
