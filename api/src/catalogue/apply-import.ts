import type { LineProblem } from '@parts-forge/contract/files/catalogue-file';
import { mergeChanges } from '@parts-forge/contract/products/product-changes';
import { newProductSchema, type Product } from '@parts-forge/contract/products/products';
import { lockLiveKey } from '#src/identity/keys.ts';
import { findBought } from '#src/orders/store.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import { MAX_ATTEMPTS, MINUTES_UNTIL_NEXT } from '#src/platform/database/claim.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { createWorker } from '#src/platform/jobs/worker.ts';
import type { Platform } from '#src/platform/platform.ts';
import { addWithin, type Write } from '#src/products/add-product.ts';
import { editWithin } from '#src/products/change-product.ts';
import { addToStock, writeStock } from '#src/products/change-stock.ts';
import { deleteWithin } from '#src/products/delete-product.ts';
import { findProductsByNumber, notePhoneModels } from '#src/products/store.ts';
import { type NewEntry, writeEntries } from '#src/trail/write-entry.ts';
import { lockAdministrator } from '#src/users/store.ts';
import { describeStock, findMoves, type ImportServices, toNewProduct } from './preview-import.ts';
import { applyPriceLines } from './price-lines.ts';
import type { ImportLine } from './schema.ts';
import {
  findUnfinishedImports,
  lockPlace,
  movePlace,
  postponeImport,
  type UnfinishedImport,
} from './store.ts';

/** The same delivery may be open in two tabs. */
const STOCK_CHANGED =
  'Somebody changed the stock since the preview. If these pieces are still missing, add such lines by a file of their own.';
const RIGHT_ENDED = 'Who applied the file is no administrator any more, or the key has ended.';
const GIVEN_UP = `The shop failed ${MAX_ATTEMPTS} times to apply the rest of the file. Its log has the cause.`;

type ApplyServices = Omit<ImportServices, 'accept'> & Pick<Platform, 'log'>;

const stockProblems: readonly string[] = ['stock-changed', 'above-stock', 'stock-limit'];

/** Lines of a transaction: an order waits for the lock of its part. */
const LINES_AT_ONCE = 50;

/** Applies what administrators asked for. Processes that apply one file take turns. */
export const createImporter = (services: ApplyServices) =>
  createWorker({
    claim: () => findUnfinishedImports(services.database.db, services.clock.now()),
    handle: (row, signal) =>
      applyImport(services, row, signal).catch((error: unknown) => noteFailure(services, row, error)),
    atOnce: 1,
    log: services.log,
    message: 'an import was interrupted; a job resumes it',
  });

/**
 * Each transaction moves the import's place, so that lines are applied once, also after a kill.
 * @param signal ends it after the current transaction
 */
export async function applyImport(
  services: ApplyServices,
  row: UnfinishedImport,
  signal: AbortSignal,
): Promise<void> {
  // The trail names the administrator, also when another process goes on.
  requestContext.setActor({ kind: 'admin', id: row.userId, keyId: row.keyId ?? undefined });
  for (let isDone = false; !isDone && !signal.aborted; ) isDone = await applyNext(services, row);
}

/**
 * A later file does not wait. After the last attempt the next one leaves out the rest. Without the database it
 * fails, too, and counts no attempt.
 */
async function noteFailure(services: ApplyServices, row: UnfinishedImport, error: unknown): Promise<void> {
  const { clock, database, log } = services;
  const attempts = row.attempts + 1;
  const isLast = attempts === MAX_ATTEMPTS;
  log[isLast ? 'error' : 'warn']({ err: error, import: row.id, attempts }, 'an import could not be applied');
  const pauseMs = isLast ? 0 : (MINUTES_UNTIL_NEXT[row.attempts] ?? 240) * 60_000;
  await postponeImport(database.db, row.id, attempts, new Date(clock.now().getTime() + pauseMs));
}

/** @returns whether nothing is left */
const applyNext = (services: ApplyServices, row: UnfinishedImport): Promise<boolean> =>
  services.changes.write(async (tx, changed) => {
    // The person first, as in every act.
    const reason = await findRefusal(tx, row, services.clock.now());
    const { from, next: lines } = await lockPlace(tx, row.id, LINES_AT_ONCE);
    const entries: NewEntry[] = [];
    const write = { tx, changed, note: (entry: NewEntry) => entries.push(entry) };
    const leftOut =
      reason === null
        ? await (row.kind === 'prices'
            ? applyPriceLines(tx, services, lines)
            : applyLines(write, services, lines, row.createdAt))
        : lines.map(({ line, number }) => ({ line, column: 'number', message: `${number}: ${reason}` }));
    await writeEntries(tx, entries);
    await movePlace(tx, row.id, from + lines.length, leftOut);
    return lines.length < LINES_AT_ONCE;
  });

async function findRefusal(tx: Executor, row: UnfinishedImport, now: Date): Promise<string | null> {
  const { userId, keyId } = row;
  const isAllowed =
    (await lockAdministrator(tx, userId)) && (keyId === null || (await lockLiveKey(tx, keyId, now)) !== null);
  if (!isAllowed) return RIGHT_ENDED;
  return row.attempts < MAX_ATTEMPTS ? null : GIVEN_UP;
}

async function applyLines(
  write: Write,
  services: ApplyServices,
  lines: readonly ImportLine[],
  createdAt: Date,
): Promise<LineProblem[]> {
  const numbers = lines.map(({ number }) => number);
  const models = lines.flatMap(({ will }) => will.fits ?? []);
  const parts = await findProductsByNumber(write.tx, numbers, { lock: true });
  await notePhoneModels(write.tx, models);
  const adding = lines.flatMap(({ part, will }) => (part !== null && will.add ? part : []));
  const moves = await findMoves(write.tx, adding, createdAt);
  const removing = lines.flatMap(({ part, will }) => (part !== null && will.remove ? part : []));
  // Once for all lines: for parts that nobody bought it reads every order.
  const bought = await findBought(write.tx, removing);
  const leftOut: LineProblem[] = [];
  for (const line of lines) {
    try {
      if (line.moves !== undefined && (moves.get(line.part)?.length ?? 0) !== line.moves)
        throw new Problem('stock-changed', { detail: STOCK_CHANGED });
      await applyLine(write, services, line, parts.get(line.number), bought);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const stock = line.will.add ? 'add' : 'stock was';
      const column = stockProblems.includes(error.code) ? stock : 'number';
      leftOut.push({ line: line.line, column, message: `${line.number}: ${error.message}` });
    }
  }
  return leftOut;
}

/** Writes nothing before its last check. @throws Problem with the reason for leaving the line out */
async function applyLine(
  write: Write,
  services: ApplyServices,
  line: ImportLine,
  found: Product | undefined,
  bought: ReadonlySet<string>,
): Promise<void> {
  if (line.version === null) return addPart(write, services, line);
  const part = requireUnchanged(line, found);
  if (line.will.remove && !bought.has(part._id)) return deleteWithin(write, services, part._id);
  await changePart(write, services, part, line.will);
}

async function addPart(write: Write, services: ApplyServices, { number, will }: ImportLine): Promise<void> {
  const read = newProductSchema.safeParse(toNewProduct(number, will));
  if (!read.success) throw new Problem('invalid', { detail: read.error.issues[0]?.message ?? '' });
  await addWithin(write, services, read.data);
}

function requireUnchanged({ part: id, version }: ImportLine, found: Product | undefined): Product {
  if (found?._id !== id)
    throw new Problem('not-found', {
      detail: 'The part was removed, or has another number, since the preview.',
    });
  if (found.version !== version)
    throw new Problem('version-changed', { detail: 'The part was edited since the preview.' });
  return found;
}

/** A part that was bought is not removed: its stock becomes 0. */
async function changePart(
  write: Write,
  services: ApplyServices,
  part: Product,
  { add = 0, stock, stockWas, remove, ...fields }: ImportLine['will'],
): Promise<void> {
  const { _id: productId, quantity: was } = part;
  if (stock !== undefined && was !== stockWas)
    throw new Problem('stock-changed', { detail: describeStock(was) });
  const quantity = remove ? 0 : (stock ?? addToStock(was, add));
  await editWithin(write, services, part, mergeChanges(part, fields));
  if (quantity === was) return;
  const event = quantity > was ? 'stock-restocked' : 'stock-corrected';
  await writeStock(write, services, { event, productId, was, quantity });
}
