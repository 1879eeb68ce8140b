import { createTimeOrderedIds } from '#src/platform/core/ids.ts';

/** Ids increase with time. */
export const makeIdAt = (at: Date): string => createTimeOrderedIds({ now: () => at }).next();
