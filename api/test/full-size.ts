const isFullSize = process.env.FULL_SIZE === '1';

/** Attacks have their full size in `npm run test:all`, and a reduced one in `npm test`. */
export const atFullSize = <T>(full: T, reduced: T): T => (isFullSize ? full : reduced);

/** The same attacks in every run, as chance must not decide whether a change is good. Another seed finds more. */
export const seed = Number(process.env.FUZZ_SEED ?? 9_110_000);

/** Call it before a reduced attack, so that its run can be repeated. */
export const printSeed = () =>
  console.log(`FUZZ_SEED=${seed}${isFullSize ? ' FULL_SIZE=1' : ''} repeats this attack.`);

/**
 * Returns the whole list at full size, and else `count` of it by the seed.
 * @param turn of a caller that chooses again and again: the next turn goes on where the last one ended
 */
export function choose<T>(list: readonly T[], count: number, turn = 0): T[] {
  const first = seed + turn * count;
  const chosen = Array.from({ length: count }, (_, index) => list[(first + index) % list.length] as T);
  return atFullSize([...list], chosen);
}
