const isFullSize = process.env.FULL_SIZE === '1';

/** Attacks run at full size in `npm run test:all`, reduced in `npm test`. */
export const atFullSize = <T>(full: T, reduced: T): T => (isFullSize ? full : reduced);

/** Fixed, so that chance does not decide about a change. */
export const seed = Number(process.env.FUZZ_SEED ?? 9_110_000);

/** For repeating a reduced attack. */
export const printSeed = () =>
  console.log(`FUZZ_SEED=${seed}${isFullSize ? ' FULL_SIZE=1' : ''} repeats this attack.`);

/**
 * All at full size, else `count` items by the seed.
 * @param turn continues a repeated choice
 */
export function choose<T>(list: readonly T[], count: number, turn = 0): T[] {
  const first = seed + turn * count;
  const chosen = Array.from({ length: count }, (_, index) => list[(first + index) % list.length] as T);
  return atFullSize([...list], chosen);
}
