import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { MAX_PASSWORD } from '@parts-forge/contract/calls/bounds';
import { createTurns } from '#src/platform/core/turns.ts';

const derive = promisify(argon2);

export interface PasswordCost {
  /** Argon2 needs at least 8. */
  memoryKib: number;
  passes: number;
}

/** OWASP's argon2id: 19 MiB, two passes, one lane. About 25 ms of a core each. */
const RECOMMENDED_COST: PasswordCost = { memoryKib: 19_456, passes: 2 };
const LANES = 1;
const KEY_BYTES = 32;
/** More would starve files and DNS of libuv's four threads: a static file took seconds. */
const AT_ONCE = 2;

export class HashingBusy extends Error {
  override name = 'HashingBusy';
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

export function createPasswordHasher(
  longestQueue: number,
  { memoryKib, passes }: PasswordCost = RECOMMENDED_COST,
) {
  const takeTurn = createTurns(AT_ONCE);
  let places = AT_ONCE + longestQueue;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (places === 0) throw new HashingBusy();
    places -= 1;
    const endTurn = await takeTurn();
    try {
      return await work();
    } finally {
      endTurn();
      places += 1;
    }
  }

  return {
    /**
     * In the usual text form (`$argon2id$v=19$…`).
     * @throws HashingBusy when the queue is full
     */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(16);
      const key = await inTurn(() => deriveKey(password, salt, memoryKib, passes, LANES));
      return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${LANES}$${unpadded(salt)}$${unpadded(key)}`;
    },
    /**
     * False for an overlong password, as normalising it is slow.
     * @throws HashingBusy when the queue is full
     */
    async verify(password: string, hash: string): Promise<boolean> {
      if (password.length > MAX_PASSWORD) return false;
      const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
      if (!parts) return false;
      const [, memory, rounds, lanes, salt = '', key = ''] = parts;
      const expected = Buffer.from(key, 'base64');
      const actual = await inTurn(() =>
        deriveKey(password, Buffer.from(salt, 'base64'), Number(memory), Number(rounds), Number(lanes)),
      );
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
  };
}

/** NFKC: keyboards compose the same letters differently. */
function deriveKey(password: string, nonce: Buffer, memory: number, passes: number, parallelism: number) {
  const message = password.normalize('NFKC');
  return derive('argon2id', { message, nonce, memory, passes, parallelism, tagLength: KEY_BYTES });
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
