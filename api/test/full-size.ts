const isFullSize = process.env.FULL_SIZE === '1';

/** Attacks run at full size in `npm run test:all`, reduced in `npm test`. */
export const atFullSize = <T>(full: T, reduced: T): T => (isFullSize ? full : reduced);

/** Fixed, so that chance does not decide about a change. Other seeds find more. */
export const seed = Number(process.env.FUZZ_SEED ?? 9_110_000);

/** Call before a reduced attack, so that its run can be repeated. */
export const printSeed = () =>
  console.log(`FUZZ_SEED=${seed}${isFullSize ? ' FULL_SIZE=1' : ''} repeats this attack.`);

/**
 * The whole list at full size; otherwise `count` items by the seed.
 * @param turn for repeated choices: each turn continues after the last
 */
export function choose<T>(list: readonly T[], count: number, turn = 0): T[] {
  const first = seed + turn * count;
  const chosen = Array.from({ length: count }, (_, index) => list[(first + index) % list.length] as T);
  return atFullSize([...list], chosen);
}
