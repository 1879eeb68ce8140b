import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

const IDS_AT_ONCE = 128;

export interface Ids {
  next(): string;
}

/** Not above any id of that time. */
export const lowestIdAt = (time: Date): string =>
  `${time.getTime().toString(16).padStart(12, '0')}`.replace(
    /^(.{8})(.{4})$/,
    '$1-$2-7000-8000-000000000000',
  );

/**
 * UUIDv7 (RFC 9562). Within a millisecond the 12 bits after the version count up (method 1), so ids always
 * rise.
 */
export function createTimeOrderedIds(clock: Clock): Ids {
  let lastMs = 0;
  let counter = 0;
  // A system call costs more than the rest, for one id or for many.
  const pool = Buffer.alloc(16 * IDS_AT_ONCE);
  let used = pool.length;
  const takeRandomBytes = (): Buffer => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += 16;
    return pool.subarray(used - 16, used);
  };
  return {
    next() {
      const nowMs = clock.now().getTime();
      const bytes = takeRandomBytes();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        counter = bytes.readUInt16BE(6) & 0x7ff;
      } else if (counter === 0xfff) {
        lastMs += 1;
        counter = 0;
      } else {
        counter += 1;
      }
      bytes.writeUIntBE(lastMs, 0, 6);
      bytes.writeUInt16BE(0x7000 | counter, 6);
      bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
      const hex = bytes.toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
}
