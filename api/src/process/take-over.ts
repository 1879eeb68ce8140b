import { formatNumber, SERIES, type Series } from '@parts-forge/contract/money/papers';
import { leaveNumbersOut } from '#src/events/number-events.ts';
import {
  continueNumbers,
  findLastNumber,
  type IssuedNumber,
  readNumber,
} from '#src/invoices/continue-numbers.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { ensureInstance, takeOver } from '#src/platform/database/instance.ts';

const TAKE_OVER = '--take-over';
const NONE = 'none';

const series = {
  invoice: { option: '--last-invoice', example: '2026-00123', name: 'invoice' },
  'credit-note': { option: '--last-credit-note', example: 'CN-2026-00004', name: 'credit note' },
  'debit-note': { option: '--last-debit-note', example: 'DN-2026-00001', name: 'debit note' },
} as const satisfies Record<Series, object>;

/** The original shop's last issued numbers, as given. */
export type LastNumbers = Partial<Record<Series, string>>;

/** Null without `--take-over`. @throws StartError for any other option */
export function readTakeOver(args: readonly string[]): LastNumbers | null {
  const numbers: LastNumbers = {};
  for (const arg of args) {
    const [option, value] = arg.split('=', 2);
    const name = SERIES.find((each) => series[each].option === option);
    if (name && value !== undefined && args.includes(TAKE_OVER)) numbers[name] = value;
    else if (arg !== TAKE_OVER) {
      throw new StartError(`${arg} is no option of npm start; ${TAKE_OVER} is the only one.`);
    }
  }
  return args.includes(TAKE_OVER) ? numbers : null;
}

/**
 * Repeatable. The operator gives the original's last numbers, as no backup has them.
 * @returns a sentence for the operator
 * @throws StartError when a number is missing, invalid or too low; nothing has changed then
 */
export function takeOverShop({ db }: Database, numbers: LastNumbers, now: Date): Promise<string> {
  return db.transaction(async (tx) => {
    const { copiedAt } = await ensureInstance(tx);
    if (copiedAt === null) {
      return 'There is nothing to take over: this shop was not restored from a backup, or has taken over before.';
    }
    for (const each of SERIES) {
      const last = requireLast(each, numbers[each], await findLastNumber(tx, each));
      if (last) await continueNumbers(tx, last, now);
    }
    await leaveNumbersOut(tx);
    await takeOver(tx, now);
    return 'This shop has taken the place of the one that was backed up, and finishes its refunds.';
  });
}

/** Null if none was issued. @throws StartError */
function requireLast(
  each: Series,
  given: string | undefined,
  known: IssuedNumber | null,
): IssuedNumber | null {
  const { option, example, name } = series[each];
  const inBackup =
    known === null ? `The backup has no ${name}` : `The last ${name} of the backup is ${formatNumber(known)}`;
  if (given === undefined) {
    throw new StartError(
      `Say which ${name} was the last that the other shop has issued, so that no number is given twice: ` +
        `${option}=${example}, or ${option}=${NONE}. ${inBackup}; customers may have newer ones.`,
    );
  }
  const last = given === NONE ? null : readNumber(given);
  if (given !== NONE && last?.series !== each) {
    throw new StartError(`${option}=${given} does not name the last ${name}, such as ${example}.`);
  }
  if (known && (last === null || isBefore(last, known))) {
    throw new StartError(`${option}=${given} cannot be the last one. ${inBackup}.`);
  }
  return last;
}

const isBefore = (a: IssuedNumber, b: IssuedNumber): boolean =>
  a.year === b.year ? a.sequence < b.sequence : a.year < b.year;
