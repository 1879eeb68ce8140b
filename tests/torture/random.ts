/** Repeatable by seed (mulberry32). */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Both included. */
  integer(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick(list) {
      const index = Math.floor(next() * list.length);
      if (!(index in list)) throw new Error('There is nothing to pick from.');
      return list[index] as (typeof list)[number];
    },
  };
}
