import { MAX_IMAGES, REPEATED_STOCK_HOURS } from '@parts-forge/contract/calls/bounds';
import {
  type LineFields,
  nameField,
  type ReadLine,
  writeFields,
} from '@parts-forge/contract/files/catalogue-file';
import { formatPieces } from '@parts-forge/contract/money/money';
import { findPriceJump, findPriceMoves } from '@parts-forge/contract/money/pricing';
import { IMPORT_PAGE, type Import } from '@parts-forge/contract/products/catalogue';
import {
  type EditedPart,
  findChangedFields,
  mergeChanges,
} from '@parts-forge/contract/products/product-changes';
import {
  findPartProblems,
  IS_NUMBER,
  NO_PART_HAS_NUMBER,
} from '@parts-forge/contract/products/product-fields';
import { newProductSchema, type Product } from '@parts-forge/contract/products/products';
import { readFile } from '#src/files/read-file.ts';
import { findBought } from '#src/orders/store.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { SentFile } from '#src/platform/core/sent-file.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Administrator, actAs } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { AcceptImages } from '#src/products/accept-images.ts';
import { addToStock } from '#src/products/change-stock.ts';
import {
  findFormerNumbers,
  findNewModels,
  findNumericNumbers,
  findProductsByNumber,
} from '#src/products/store.ts';
import { findStockChanges } from '#src/trail/store.ts';
import { describePriceLines, forgetRemoved } from './price-lines.ts';
import type { ImportLine } from './schema.ts';
import { insertImport, listChanges, type StoredLine, toImport } from './store.ts';

export interface ImportServices extends Pick<Platform, 'database' | 'changes' | 'clock' | 'config' | 'ids'> {
  accept: AcceptImages;
}

/** Lines between two turns of the event loop, so that reads go on. */
const LINES_AT_ONCE = 200;

/**
 * Stores what the file would change, and changes nothing.
 * @throws Problem `invalid` for a file that cannot be read, `not-for-keys` for one of prices, and those of
 *   `Actor.confirm`
 */
export async function previewImport(
  services: ImportServices,
  actor: Administrator,
  { name, undoes, ...sent }: { name: string; undoes: string | null } & SentFile,
): Promise<Import> {
  const { db } = services.database;
  const createdAt = services.clock.now();
  const { lines: readLines, ...file } = await readFile(sent, 'catalogue');
  if (file.kind === 'prices' && actor.key !== null) throw new Problem('not-for-keys');
  const { changes, unchanged, warned, refused, kinds } = await describeLines(
    readLines,
    file.kind === 'prices'
      ? (slice) => describePriceLines(services, slice)
      : await describeParts(services, actor, readLines, createdAt),
  );
  const models = await findNewModels(db, [...new Set(changes.flatMap(({ will }) => will.fits ?? []))]);
  const added = changes.filter(({ version }) => version === null).length;
  const row = {
    ...file,
    notes: [...file.notes, ...(models.length > 0 ? [`New phone models: ${models.join('; ')}.`] : [])],
    id: services.ids.next(),
    userId: actor.userId,
    name,
    undoes,
    kinds,
    done: 0,
    leftOut: 0,
    counts: {
      new: added,
      changed: changes.length - added,
      unchanged,
      refused: refused.length,
      warned,
    },
    createdAt,
    appliedAt: null,
  };
  const stored = await actAs(services.changes, actor, async (tx) => {
    const kept = file.kind === 'prices' ? await forgetRemoved(tx, changes) : changes;
    await insertImport(tx, row, [...kept.map((change) => ({ change, problems: [] })), ...refused]);
    return kept;
  });
  const first = refused.slice(0, IMPORT_PAGE).flatMap(({ problems }) => problems);
  return toImport(row, stored.slice(0, IMPORT_PAGE), first);
}

/** @returns `changes` with those that carry a warning first, and how many those are */
async function describeLines(
  readLines: readonly ReadLine[],
  describe: (slice: readonly ReadLine[]) => Promise<(ImportLine | StoredLine | null)[]>,
) {
  let unchanged = 0;
  const warned: ImportLine[] = [];
  const changed: ImportLine[] = [];
  const refused: StoredLine[] = [];
  const kinds = new Map<string, number>();
  for (let from = 0; from < readLines.length; from += LINES_AT_ONCE) {
    const slice = readLines.slice(from, from + LINES_AT_ONCE);
    for (const line of await describe(slice)) {
      if (line === null) unchanged += 1;
      else if ('problems' in line) refused.push(line);
      else {
        line.kinds = listKinds(line);
        for (const kind of line.kinds) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        (line.warning ? warned : changed).push(line);
      }
    }
  }
  const counted = [...kinds].map(([name, lines]) => ({ name, lines }));
  counted.sort((a, b) => b.lines - a.lines);
  return { changes: [...warned, ...changed], unchanged, warned: warned.length, refused, kinds: counted };
}

function listKinds(line: ImportLine): string[] {
  if (line.version === null) return ['new'];
  const changes = listChanges(line);
  const isJump = changes.some(({ column, was, will }) => column === 'price' && findPriceJump(was, will));
  return [...changes.map(({ column }) => column), ...(isJump ? ['price-jump'] : [])];
}

/** @returns what describes some of the lines: as a change, a refusal, or null for no change */
async function describeParts(
  services: ImportServices,
  actor: Administrator,
  readLines: readonly ReadLine[],
  createdAt: Date,
) {
  const numeric = await findNumericNumbers(services.database.db);
  const figures = new Map(numeric.map((number) => [Number(number), number]));
  const listed = new Set(readLines.map(({ number }) => number));
  return async (slice: readonly ReadLine[]): Promise<(ImportLine | StoredLine | null)[]> => {
    const facts = await findFacts(services, slice, createdAt);
    return slice.map((read) => {
      const problems = listProblems(read, facts, { figures, listed });
      if (problems.length > 0) return { change: null, problems };
      const change = describeLine(read, facts, actor.key !== null);
      return Object.keys(change.will).length === 0 ? null : change;
    });
  };
}

type Facts = Awaited<ReturnType<typeof findFacts>>;

/** Reads what the database knows about some lines. */
async function findFacts(
  { database: { db }, accept }: ImportServices,
  slice: readonly ReadLine[],
  createdAt: Date,
) {
  const numbers = slice.map(({ number }) => number);
  const parts = await findProductsByNumber(db, numbers);
  const adding = slice.flatMap((line) => (line.fields.add ? (parts.get(line.number)?._id ?? []) : []));
  const moves = await findMoves(db, adding, createdAt);
  const copied = slice.flatMap((read) => (isCopy(read) && !parts.has(read.number) ? read.number : []));
  const former = await findFormerNumbers(db, copied);
  const removing = slice.flatMap((read) => (read.fields.remove && parts.get(read.number)?._id) || []);
  const bought = await findBought(db, removing);
  const pictures = await accept(
    slice.flatMap(({ number, fields }) => fields.images ?? (parts.has(number) ? [] : namePictures(number))),
  );
  const names = slice.flatMap(({ fields }) =>
    [...(fields.alsoKnownAs ?? []), fields.replacedBy ?? []].flat(),
  );
  const others = await findProductsByNumber(db, [...pictures.keys(), ...names]);
  return { parts, moves, former, bought, pictures, others };
}

/** Gives a new part the pictures that have its number, and lists why the line cannot be applied. */
function listProblems(
  read: ReadLine,
  { parts, former, pictures, others }: Facts,
  { figures, listed }: { figures: ReadonlyMap<number, string>; listed: ReadonlySet<string> },
): ReadLine['problems'] {
  const { line, number, fields } = read;
  const part = parts.get(number);
  const isKnown = (name: string) => listed.has(name) || others.has(name);
  // `PF-1-2` may be another part, whose picture this is.
  const isOwn = (name: string) => name === number || !isKnown(name);
  const names = part || fields.images ? [] : namePictures(number).filter(isOwn);
  const named = names.filter((name) => pictures.has(name));
  if (named.length > 0) fields.images = named;
  const refusals = number === '' ? [] : part ? refuseChanges(fields, part) : refuseNew(read, figures, former);
  const isTaken = fields.alsoKnownAs?.some((name) => name !== number && isKnown(name));
  const { replacedBy } = fields;
  if (replacedBy && replacedBy !== part?.replacedBy && !isKnown(replacedBy))
    refusals.push([nameField('replacedBy'), NO_PART_HAS_NUMBER]);
  if (isTaken) refusals.push([nameField('alsoKnownAs'), IS_NUMBER]);
  refusals.push(...replacePictures(fields, part, pictures));
  // A cell that cannot be read is not missing, too.
  const found = read.problems.length === 0 || part ? refusals : [];
  return [...read.problems, ...found.map(([column, message]) => ({ line, column, message }))];
}

/** Files of these names are a new part's pictures: `PF-1.jpg`, `PF-1-2.jpg`. */
const namePictures = (number: string): string[] => [
  number,
  ...Array.from({ length: MAX_IMAGES - 1 }, (_, index) => `${number}-${index + 2}`),
];

type Refusals = [column: string, message: string][];

function refuseChanges(fields: LineFields, part: Product): Refusals {
  if (fields.remove) return [];
  const merged = mergeChanges(part, fields);
  const [given] = findChangedFields(part, merged);
  const refusals = findPartProblems(merged).map(([[field], message]): Refusals[number] => {
    const name = nameField(field);
    if (Reflect.get(fields, field ?? '') !== undefined) return [name, message];
    const kept = writeFields({ [field ?? '']: Reflect.get(part, field ?? '') })[name];
    return [nameField(given), `Contradicts “${name}”, which is ${kept}: ${message}. Write both.`];
  });
  const { add = 0, stockWas } = fields;
  if (isSet(fields, part)) {
    if (add !== 0) refusals.push(['add', 'Either add pieces or set the stock.']);
    if (stockWas === undefined) refusals.push(['stock was', 'Must be the stock that “stock” replaces.']);
    else if (stockWas !== part.quantity) refusals.push(['stock was', describeStock(part.quantity)]);
  }
  try {
    addToStock(part.quantity, add);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    refusals.push(['add', error.message]);
  }
  return refusals;
}

/** A stock that is there already, or that nobody edited, changes nothing. */
const isSet = ({ stock, stockWas }: LineFields, { quantity }: Product): boolean =>
  stock !== undefined && stock !== quantity && stock !== stockWas;

export const describeStock = (quantity: number): string =>
  `There are ${formatPieces(quantity)} in stock now.`;

export const toNewProduct = (
  number: string,
  { add, stock, stockWas: _, version: __, ...fields }: LineFields,
) => ({
  ...fields,
  number,
  image: fields.images?.[0],
  quantity: stock ?? add,
});

/** True for a line that seems to be an exported one. */
const isCopy = ({ fields: { version, stockWas } }: ReadLine): boolean =>
  version !== undefined || stockWas !== undefined;

function refuseNew(
  { number, fields, ...read }: ReadLine,
  figures: ReadonlyMap<number, string>,
  former: ReadonlySet<string>,
): Refusals {
  const figure = figures.get(Number(number));
  if (figure !== undefined) {
    const advice = `a spreadsheet may have changed it. Use XLSX, or write ${figure}.`;
    return [['number', `There is no ${number}, but ${figure}: ${advice}`]];
  }
  // Spreadsheets change figures and dates alone.
  const isSpoilt = dateNumber.test(number) || !Number.isNaN(Number(number));
  const isFormer = former.has(number);
  if (fields.remove || (isCopy({ number, fields, ...read }) && (isFormer || isSpoilt))) {
    const reason = isFormer
      ? 'the part was removed, or has another number'
      : 'a spreadsheet may have changed it';
    const advice = fields.remove ? '' : ' For a new part leave “stock was” and “version” empty.';
    return [['number', `No part has the number ${number}: ${reason}.${advice}`]];
  }
  const part = toNewProduct(number, fields);
  const issues = newProductSchema.safeParse(part).error?.issues ?? [];
  const [missing = [], wrong = []] = [true, false].map((isMissing) =>
    issues.filter(({ path: [field = ''] }) => (Reflect.get(part, field) === undefined) === isMissing),
  );
  const names = missing.map(({ path: [field] }) => nameField(field)).join(', ');
  const isUnknown = `No part has the number ${number}. For a new one these are missing: ${names}.`;
  const refusals = wrong.map(({ path: [field], message }): Refusals[number] => [nameField(field), message]);
  return names === '' ? refusals : [['number', isUnknown], ...refusals];
}

/** Replaces addresses by those that products store. */
function replacePictures(
  fields: LineFields,
  part: Product | undefined,
  pictures: ReadonlyMap<string, string>,
): Refusals {
  const find = (address: string) => (part?.images.includes(address) ? address : pictures.get(address));
  const foreign = fields.images?.find((address) => find(address) === undefined);
  if (fields.images) fields.images = fields.images.flatMap((address) => find(address) ?? []);
  const message = `“${foreign?.slice(0, 60)}” is no picture of this shop. Drop it beside this file, and write its file name.`;
  return foreign === undefined ? [] : [['pictures', message]];
}

/** Spreadsheets make `4-MAR`, `03.04.2026` or `03. APR` of `3-4`. */
const dateNumber = /^\d{1,4}(?:[-./ ]|\. )(?:\d{1,2}|[A-Z]{3})(?:[-./ ]\d{2,4})?$/;

/**
 * Changes of stocks by hand since the day before a preview began: the same pieces may be the same file, and
 * one more by the time of applying another preview of it.
 */
export const findMoves = (db: Executor, parts: readonly string[], createdAt: Date): Promise<Moves> =>
  findStockChanges(db, parts, new Date(createdAt.getTime() - REPEATED_STOCK_HOURS * 3_600_000));
type Moves = Awaited<ReturnType<typeof findStockChanges>>;

/** Such as `00123` and `123`. */
const isReformatted = (was: string, is: string): boolean => was !== is && Number(was) === Number(is);

function warn(...warnings: readonly (string | undefined | false)[]) {
  const warning = warnings.filter((each) => each).join(' ');
  return warning !== '' && { warning };
}

function describeLine(read: ReadLine, { parts, bought, moves }: Facts, isProgram: boolean): ImportLine {
  const { line, number, fields } = read;
  const part = parts.get(number);
  if (!part) return describeNew(read);
  const known = { line, number, name: part.name, part: part._id, version: part.version };
  const isOlder = (fields.version ?? part.version) !== part.version;
  if (fields.remove) {
    const isBought = bought.has(part._id);
    const removal = isBought ? 'It was bought, so it stays, without stock.' : 'The part is removed.';
    return { ...known, will: { remove: true }, was: {}, ...warn(isOlder && OLDER, removal) };
  }
  return { ...known, ...describeChanges(read, part, moves, { isOlder, isProgram }) };
}

function describeNew(read: ReadLine): ImportLine {
  const { line, number, fields } = read;
  const stock = formatPieces(fields.stock ?? fields.add ?? 0);
  const warning = warn(
    read.warning,
    dateNumber.test(number) && 'A spreadsheet may have made the number a date.',
    isCopy(read) && `No part has this number, so it is a new one, with ${stock} in stock.`,
    ...findOddTexts({}, fields),
  );
  const name = fields.name ?? '';
  return { line, number, name, part: null, version: null, will: fields, was: {}, ...warning };
}

function describeChanges(
  { fields, ...read }: ReadLine,
  part: Product,
  moves: Moves,
  { isOlder, isProgram }: Record<'isOlder' | 'isProgram', boolean>,
): Omit<ImportLine, 'line' | 'number' | 'name' | 'part' | 'version'> {
  const { add = 0, stock, stockWas } = fields;
  const merged = mergeChanges(part, fields);
  const changed = findChangedFields(part, merged);
  const pick = (from: EditedPart): LineFields =>
    Object.fromEntries(changed.map((field) => [field, from[field]]));
  const move = isSet(fields, part) ? { stock, stockWas } : add === 0 ? {} : { add };
  const moved = (add !== 0 && moves.get(part._id)) || [];
  const is = pick(merged);
  const was = pick(part);
  const warning = warn(
    read.warning,
    isOlder && changed.length > 0 && OLDER,
    findPriceMoves(part, merged).length > 0 && 'The price moves by more than half.',
    isReformatted(part.name, merged.name) && 'A spreadsheet may have changed the name.',
    // An ERP sets it to 0 each night; a spreadsheet by a formula that was never calculated.
    move.stock === 0 && !isProgram && 'The stock becomes 0.',
    moved.includes(add) && `The same pieces were added within ${REPEATED_STOCK_HOURS} hours.`,
    ...findOddTexts(was, is),
  );
  return {
    will: { ...is, ...move },
    was: { ...was, ...('add' in move || 'stock' in move ? { stock: part.quantity } : {}) },
    ...('add' in move && { moves: moved.length }),
    ...warning,
  };
}

const OLDER = 'The part was edited after this file was written.';
const html = /<\/?[a-z]|&[a-z#]\w{1,7};|\\n/i;
const countLost = (text: string): number => text.match(/[?\ufffd]/g)?.length ?? 0;

/** Texts that other programs or character sets made so. */
function findOddTexts(was: LineFields, will: LineFields): string[] {
  const [before, after] = [JSON.stringify(was), JSON.stringify(will)];
  const lost = before.match(/[^\0-\x7f]/g)?.some((letter) => !after.includes(letter));
  const texts = `${will.name} ${will.description}`;
  const entries = [...(will.fits ?? []), ...(will.attributes ?? []).map(({ value }) => value)];
  return [
    ...((lost || after.includes('\ufffd')) && countLost(after) > countLost(before)
      ? ['Letters became “?”. Save the file as UTF-8 or XLSX.']
      : []),
    ...(html.test(texts) ? ['The text has HTML or “\\n” in it.'] : []),
    ...(entries.some((entry) => /[,|]| \/ /.test(entry))
      ? ['A list may be one entry here: semicolons separate entries.']
      : []),
    ...(/^[\d.,]+$/.test(will.name ?? '') && !/^[\d.,]+$/.test(was.name ?? '')
      ? ['The name is a figure.']
      : []),
  ];
}
