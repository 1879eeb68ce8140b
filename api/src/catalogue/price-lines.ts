import type { ReadLine } from '@parts-forge/contract/files/catalogue-file';
import { toAmount, toCents } from '@parts-forge/contract/money/money';
import { noteAgreedPrice } from '@parts-forge/contract/money/pricing';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import {
  findSetPrices,
  type NewPrice,
  type PriceKey,
  removeAgreedPrices,
  setAgreedPrices,
  writeKey,
} from '#src/prices/agreed-prices.ts';
import { type AgreedPriceRow, readToday } from '#src/prices/own-prices.ts';
import { findProductsByNumber } from '#src/products/store.ts';
import { findCustomersByEmail } from '#src/users/store.ts';
import type { ImportLine } from './schema.ts';
import type { StoredLine } from './store.ts';

/** Lines of a file of customers' prices: what they would change, and the change. */

type PriceServices = Pick<Platform, 'clock' | 'config' | 'ids'>;

type PriceLine = Pick<ReadLine, 'number' | 'customer' | 'from'>;

const ENDED = 'This day has passed.';

/** Reads what the database knows about some lines. Prices that have ended are none, as in lists. */
async function findFacts(db: Executor, lines: readonly PriceLine[], today: string, { lock = false } = {}) {
  const parts = await findProductsByNumber(
    db,
    lines.map(({ number }) => number),
  );
  const customers = await findCustomersByEmail(
    db,
    lines.map(({ customer = '' }) => customer),
    { lock },
  );
  const toKey = ({ number, customer = '', from = 1 }: PriceLine): PriceKey | null => {
    const [userId, part] = [customers.get(customer), parts.get(number)];
    return userId && part ? { userId, productId: part._id, fromQuantity: from } : null;
  };
  const rows = await findSetPrices(
    db,
    lines.flatMap((line) => toKey(line) ?? []),
    { lock },
  );
  const findRow = (key: PriceKey) => {
    const row = rows.get(writeKey(key));
    return row?.until && row.until < today ? undefined : row;
  };
  return { parts, customers, toKey, findRow };
}

const toWas = ({ priceCents, until }: AgreedPriceRow) => ({ price: toAmount(priceCents), until });

/** @returns for each line a change, a refusal, or null for one that changes nothing */
export async function describePriceLines(
  { database: { db }, ...services }: Pick<Platform, 'database' | 'clock' | 'config'>,
  lines: readonly ReadLine[],
): Promise<(ImportLine | StoredLine | null)[]> {
  const today = readToday(services);
  const facts = await findFacts(db, lines, today);
  return lines.map((read) => {
    const { line, number, customer = '', from = 1, fields } = read;
    const { remove, price, until } = fields;
    const part = facts.parts.get(number);
    const key = facts.toKey(read);
    const row = key && facts.findRow(key);
    const was = row && toWas(row);
    const refusals: [column: string, message: string | false | undefined][] = [
      ['customer', !facts.customers.has(customer) && 'No customer has this e-mail address.'],
      ['number', !part && `No part has the number ${number}.`],
      ['remove', remove && !was && 'This customer has no such price.'],
      ['price', !remove && !was && price === undefined && 'The price is missing.'],
      ['until', typeof until === 'string' && until < today && ENDED],
    ];
    const problems = refusals.flatMap(([column, message]) => (message ? [{ line, column, message }] : []));
    const found = read.problems.length > 0 ? read.problems : problems;
    if (found.length > 0 || !part) return { change: null, problems: found };
    const known = { line, number, name: part.name, part: part._id, customer, user: key?.userId, from };
    if (remove) return { ...known, version: 1, will: { remove }, was: was ?? {} };
    const will = {
      price: price ?? was?.price ?? 0,
      until: until === undefined ? (was?.until ?? null) : until,
    };
    if (was && was.price === will.price && was.until === will.until) return null;
    const note = noteAgreedPrice(will.price, from, part);
    const warnings = [
      read.warning ?? '',
      note === 'above' ? "The list's price is lower, so it counts." : '',
      note === 'half' ? "The price is below half of the list's." : '',
    ].filter((each) => each !== '');
    return {
      ...known,
      version: was ? 1 : null,
      will,
      was: was ?? {},
      ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    };
  });
}

/** Empties the addresses of customers who went since `describePriceLines`, and holds the others until `tx` ends. */
export async function forgetRemoved(tx: Executor, changes: readonly ImportLine[]): Promise<ImportLine[]> {
  const emails = new Set(changes.flatMap(({ customer }) => customer ?? []));
  const present = await findCustomersByEmail(tx, [...emails], { lock: true });
  return changes.map((change) =>
    present.get(change.customer ?? '') === change.user ? change : { ...change, customer: '', user: '' },
  );
}

/** @returns why lines were left out */
export async function applyPriceLines(
  tx: Executor,
  services: PriceServices,
  lines: readonly ImportLine[],
): Promise<StoredLine['problems']> {
  const today = readToday(services);
  const facts = await findFacts(tx, lines, today, { lock: true });
  const set: NewPrice[] = [];
  const removed: string[] = [];
  const leftOut = lines.flatMap(({ will, was, ...line }) => {
    const leaveOut = (column: string, message: string) => [{ line: line.line, column, message }];
    const key = facts.toKey(line);
    if (key === null || key.productId !== line.part || key.userId !== line.user)
      return leaveOut('number', `${line.number}: The part or the customer was removed since the preview.`);
    const row = facts.findRow(key);
    const is = row && toWas(row);
    if (is?.price !== was.price || is?.until !== was.until)
      return leaveOut('price', `${line.number}: The price was changed since the preview.`);
    const { price = 0, until = null, remove } = will;
    if (until !== null && until < today) return leaveOut('until', `${line.number}: ${ENDED}`);
    if (remove && row) removed.push(row.id);
    else set.push({ ...key, priceCents: toCents(price), until });
    return [];
  });
  await setAgreedPrices(tx, services, set);
  await removeAgreedPrices(tx, services, removed);
  return leftOut;
}
