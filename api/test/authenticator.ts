import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, vi } from 'vitest';

const STEP_SECONDS = 30;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Holds the clock in the middle of a step during each test, so that a slow machine's codes stay valid. */
export function holdStep(): void {
  beforeEach(() => {
    const step = Math.floor(Date.now() / 1000 / STEP_SECONDS);
    vi.useFakeTimers({ toFake: ['Date'], now: (step + 0.5) * STEP_SECONDS * 1000 });
  });
  afterEach(() => void vi.useRealTimers());
}

/**
 * RFC 6238.
 * @param steps of 30 seconds from now; the service accepts -1 to 1
 */
export function computeCode(totpUri: string, steps = 0): string {
  const secret = decodeBase32(new URL(totpUri).searchParams.get('secret') ?? '');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / STEP_SECONDS) + steps));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function decodeBase32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, '')]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
