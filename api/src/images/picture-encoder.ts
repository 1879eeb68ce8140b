import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from '@parts-forge/contract/bounds';
import { Problem } from '#src/platform/core/problem.ts';
import type { EncodedPicture } from './encode-picture.ts';

/** Two at a time leave cores and memory to everybody else, with the largest pictures too. */
const MAX_ENCODING = 2;

/** What the process answers: the picture, or why it is none that is taken. */
export type EncoderAnswer = { picture: EncodedPicture } | { refusal: string };

export interface PictureEncoder {
  /**
   * Waits for its turn and makes the picture in every width and format.
   * @param signal its work is stopped, or not begun, when this is aborted
   * @throws Problem `invalid` when it is no picture or takes too long, `unavailable` when the process fails
   */
  encode(original: Uint8Array, signal: AbortSignal): Promise<EncodedPicture>;
}

/**
 * Encodes each picture in a process of its own, behind everything else that wants the processor: whatever a picture
 * does to its decoder, it can be ended at once, gives all its memory back, and takes nothing from other requests
 * (`docs/decisions/0040`).
 * @param timeoutMs for one picture, without the wait for its turn
 */
export function createPictureEncoder(timeoutMs: number): PictureEncoder {
  const takeTurn = createTurns(MAX_ENCODING);
  return {
    async encode(original, signal) {
      const endTurn = await takeTurn(signal);
      try {
        return await runEncoder(original, timeoutMs, signal);
      } finally {
        endTurn();
      }
    },
  };
}

/** @throws the signal's reason, or Problem as `encode` says */
function runEncoder(original: Uint8Array, timeoutMs: number, signal: AbortSignal): Promise<EncodedPicture> {
  const child = fork(program, {
    // Neither the shop's settings, which have its secrets, nor a debugger's port.
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    signal,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const { promise, resolve, reject } = Promise.withResolvers<EncodedPicture>();
  let answer: EncoderAnswer | undefined;
  child.once('message', (message) => {
    answer = message as EncoderAnswer;
    child.disconnect();
  });
  child.once('error', reject);
  child.once('exit', (code, killedBy) => {
    if (answer && 'picture' in answer) resolve(answer.picture);
    else if (answer) reject(refusePicture(notTaken, answer.refusal));
    else if (child.killed) reject(refusePicture(tooSlow, `killed after ${timeoutMs} ms`));
    else
      reject(new Problem('unavailable', { cause: new Error(`The encoder ended with ${code ?? killedBy}`) }));
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  child.send(original);
  return promise;
}

const program = fileURLToPath(new URL('encoder-process.ts', import.meta.url));
const notTaken = `Must be a JPEG, PNG, WebP, AVIF or GIF picture of at most ${MAX_IMAGE_PIXELS / 1e6} megapixels and ${MAX_IMAGE_SIDE} pixels on a side`;
const tooSlow = 'This picture takes too long to make smaller. Send a smaller one.';

const refusePicture = (message: string, why: string) =>
  new Problem('invalid', {
    detail: message,
    errors: [{ path: 'image', message }],
    cause: new Error(why),
  });

/**
 * Lets so many work at a time; the others wait in the order they came.
 * @returns waits for a turn and gives what ends it; throws the signal's reason when that comes first
 */
function createTurns(max: number): (signal: AbortSignal) => Promise<() => void> {
  let taken = 0;
  const waiting = new Set<() => void>();
  const endTurn = () => {
    taken -= 1;
    const [next] = waiting;
    next?.();
  };
  return async (signal) => {
    signal.throwIfAborted();
    while (taken >= max) await waitForTurn(waiting, signal);
    taken += 1;
    return endTurn;
  };
}

function waitForTurn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal.reason);
  waiting.add(resolve);
  signal.addEventListener('abort', abort, { once: true });
  return promise.finally(() => {
    waiting.delete(resolve);
    signal.removeEventListener('abort', abort);
  });
}
