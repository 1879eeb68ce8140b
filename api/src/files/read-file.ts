import { type ExecFileException, execFile } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { AliasFile } from '@parts-forge/contract/files/alias-file';
import type { ReadFile } from '@parts-forge/contract/files/catalogue-file';
import type { ParcelTable } from '@parts-forge/contract/files/parcel-file';
import type { PdfRow } from '@parts-forge/contract/files/pdf-lines';
import { shopCurrency } from '@parts-forge/contract/money/currency';
import { compiledCode } from '#src/platform/core/compiled-code.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import type { SentFile } from '#src/platform/core/sent-file.ts';

/** Bounds the answer's JSON: ten thousand lines of 1,600 characters. The shop holds it several times. */
const MAX_ANSWER_BYTES = 16 * 1024 ** 2;
/** Young objects are few beside the file's texts. Helper threads of V8 would take a few MB more. */
const memory = ['--max-old-space-size=160', '--max-semi-space-size=2', '--v8-pool-size=0'];

/** The text of a list, a row a line; a PDF's rows, as only the shop knows which have a number. */
export interface ListFile {
  kind: 'table' | 'pdf';
  notes: string[];
  lines: (string | PdfRow)[];
}

export interface Files {
  aliases: AliasFile;
  catalogue: ReadFile;
  parcels: ParcelTable;
  list: ListFile;
}

export type FileUse = keyof Files;

/**
 * Those of customers do not wait for an administrator's, nor these for them. The limit is processor time: on a
 * busy machine an honest file takes longer, not more. On an idle one, customers wait three seconds at most.
 */
const lanes = {
  catalogue: { of: 'administrators', cpuMs: 15_000 },
  parcels: { of: 'administrators', cpuMs: 15_000 },
  list: { of: 'customers', cpuMs: 2_800 },
  aliases: { of: 'customers', cpuMs: 2_800 },
} as const;
/** A process that gets less than a fifth of a core is killed, too. */
const CORE_SHARE = 1 / 5;
/** As JSON, then a text for each line of the file: one of megabytes would stop the event loop. */
export type FileAnswer<File> = { file: Omit<File, 'lines'> } | { refusal: string };
const LINES_AT_ONCE = 200;

const program = fileURLToPath(new URL('read-file-process.ts', import.meta.url));
const runFile = promisify(execFile);
/** In each lane one at a time: a second process would double the memory. */
const last = new Map<string, Promise<unknown>>();

/** Once those before it in the lane have ended. */
function readAfter<File>(lane: string, read: () => Promise<File>): Promise<File> {
  const reading = Promise.resolve(last.get(lane)).then(read);
  const ended = reading.catch(() => {});
  last.set(lane, ended);
  void ended.then(() => last.get(lane) === ended && last.delete(lane));
  return reading;
}

/**
 * In a process of its own, so that a hostile file blocks and fills no other (as 0040). Of a sender's files one
 * at a time is in the lane, so that many do not hold up others.
 * @throws Problem `invalid` with the file's problem, or for one that takes too much
 */
export function readFile<As extends FileUse>(
  { content, charset, sender, hasGone }: SentFile,
  as: As,
): Promise<Files[As]> {
  const { of } = lanes[as];
  return readAfter(`${of} ${sender}`, () =>
    readAfter(of, async () => {
      if (hasGone()) throw new Problem('unavailable');
      return readNext<Files[As]>(as, content, charset);
    }),
  );
}

async function readNext<File>(as: FileUse, content: Buffer, charset: string): Promise<File> {
  const { cpuMs } = lanes[as];
  const settings = [as, charset, shopCurrency().code, String(cpuMs)];
  const running = runFile(process.execPath, [...memory, program, ...settings], {
    // Settings contain secrets, so it gets none.
    env: compiledCode,
    timeout: cpuMs / CORE_SHARE,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_ANSWER_BYTES,
  });
  running.child.stdin?.on('error', () => {}).end(content);
  const { stdout } = await running.catch((cause: ExecFileException) => {
    const excess = findExcess(cause);
    throw excess ? invalidField('file', `This file ${excess}. Split it, or save it as CSV.`) : cause;
  });
  const [head = '', ...texts] = stdout.split('\n');
  const answer = JSON.parse(head) as FileAnswer<File>;
  if ('refusal' in answer) throw invalidField('file', answer.refusal);
  const lines: unknown[] = [];
  for (const [index, text] of texts.entries()) {
    if (index % LINES_AT_ONCE === 0) await setImmediate();
    lines.push(JSON.parse(text));
  }
  return { ...answer.file, lines } as File;
}

/** Null for a fault of the process itself. V8 aborts without memory. */
function findExcess({ code, killed, signal }: ExecFileException): string | null {
  if (String(code) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'has too much text';
  if (killed || signal === 'SIGVTALRM') return 'takes too long to read';
  return signal === 'SIGABRT' || signal === 'SIGKILL' ? 'takes too much memory to read' : null;
}
