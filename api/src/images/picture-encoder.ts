import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from '@parts-forge/contract/calls/bounds';
import { divideAmongWorkers } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { createTurns } from '#src/platform/core/turns.ts';
import type { EncodedPicture } from './encode-picture.ts';

const MAX_ENCODING = 2;

/** Then the process ends and frees its memory. */
const IDLE_MS = 10_000;

export type EncoderAnswer = { picture: EncodedPicture } | { refusal: string; isDamaged: boolean };

export type PictureEncoder = ReturnType<typeof createPictureEncoder>;

/** Encodes in low-priority processes, which can be killed and free their memory (`docs/decisions/0040`). */
export function createPictureEncoder(config: Pick<Config, 'pictureTimeoutMs' | 'workers'>) {
  const takeTurn = createTurns(divideAmongWorkers(MAX_ENCODING, config));
  const idle = createIdleProcesses();
  return {
    /**
     * @param file must exist until this settles
     * @throws Problem `invalid` when it is no picture or takes too long, `unavailable` when the process fails
     */
    async encode(file: string, signal: AbortSignal): Promise<EncodedPicture> {
      const endTurn = await takeTurn(signal);
      try {
        const child = idle.take() ?? startEncoder();
        const answer = await askEncoder(child, file, config.pictureTimeoutMs, signal);
        idle.add(child);
        if ('refusal' in answer) throw refusePicture(answer.isDamaged ? damaged : notTaken, answer.refusal);
        return answer.picture;
      } finally {
        endTurn();
      }
    },
  };
}

function startEncoder(): ChildProcess {
  const child = fork(program, {
    // The settings of the shop contain secrets.
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // A pending request reports the error.
  child.on('error', () => {});
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return child;
}

/**
 * @param timeoutMs excludes the wait for a turn
 * @throws the signal's reason, or Problem as in `encode`; the process then ends
 */
async function askEncoder(
  child: ChildProcess,
  file: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<EncoderAnswer> {
  const answered = new AbortController();
  const { signal: done } = answered;
  const timeout = AbortSignal.timeout(timeoutMs);
  const cut = AbortSignal.any([signal, timeout]);
  const kill = () => child.kill('SIGKILL');
  cut.addEventListener('abort', kill, { signal: done });
  try {
    cut.throwIfAborted();
    child.ref();
    child.send(file);
    const ended = once(child, 'exit', { signal: done }).then(() => {
      throw new Error(`The encoder ended with ${child.exitCode ?? child.signalCode}`);
    });
    const [answer] = await Promise.race([once(child, 'message', { signal: done }), ended]);
    return answer as EncoderAnswer;
  } catch (cause) {
    kill();
    signal.throwIfAborted();
    if (timeout.aborted) throw refusePicture(tooSlow, `killed after ${timeoutMs} ms`);
    throw new Problem('unavailable', { cause });
  } finally {
    answered.abort();
  }
}

/** Reuses processes: a start blocks the shop for some milliseconds. */
function createIdleProcesses() {
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const forget = (child: ChildProcess) => {
    clearTimeout(idle.get(child));
    idle.delete(child);
  };
  return {
    take(): ChildProcess | undefined {
      const [child] = idle.keys();
      if (child) forget(child);
      return child?.connected ? child : undefined;
    },
    add(child: ChildProcess): void {
      const end = () => {
        forget(child);
        child.kill('SIGKILL');
      };
      idle.set(child, setTimeout(end, IDLE_MS).unref());
      child.unref();
      child.channel?.unref();
    },
  };
}

const program = fileURLToPath(new URL('encoder-process.ts', import.meta.url));
const notTaken = `Must be a JPEG, PNG, WebP, AVIF or GIF picture of at most ${MAX_IMAGE_PIXELS / 1e6} megapixels and ${MAX_IMAGE_SIDE} pixels on a side`;
const damaged = 'This picture is damaged or incomplete. Download or export it again, and send the new file.';
const tooSlow = 'This picture takes too long to make smaller. Send a smaller one.';

const refusePicture = (message: string, why: string) =>
  new Problem('invalid', {
    detail: message,
    errors: [{ path: 'image', message }],
    cause: new Error(why),
  });
