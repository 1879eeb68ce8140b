import { type Finding, fails, note, QUESTION_MS, type Visit, works } from './check.ts';

/** Stripe's signatures are valid for five minutes. */
const WRONG_MS = 240_000;
const DOUBTFUL_MS = 5_000;

/** Compares with the clocks of the database and Stripe, which may be wrong too. */
export async function checkClock(visit: Visit): Promise<Finding[]> {
  const differences = await Promise.all([compareWithDatabase(visit), compareWithStripe(visit)]);
  return differences.flatMap((difference) => difference ?? []).map(judgeDifference);
}

interface Difference {
  other: string;
  /** This machine's lead, in milliseconds. */
  aheadMs: number;
}

async function compareWithDatabase({ config, openDatabase }: Visit): Promise<Difference | null> {
  // Another check reports it; the embedded database has this machine's clock.
  const database = config.databaseUrl === null ? null : await openDatabase().catch(() => null);
  if (database === null) return null;
  const before = Date.now();
  const { rows } = await database.pool.query<{ now: Date }>('select clock_timestamp() as now');
  const [row] = rows;
  return row ? { other: 'the database', aheadMs: middle(before) - row.now.getTime() } : null;
}

async function compareWithStripe({ config: { stripe } }: Visit): Promise<Difference | null> {
  if (!stripe) return null;
  const before = Date.now();
  const response = await fetch(stripe.apiUrl ?? 'https://api.stripe.com', {
    method: 'HEAD',
    signal: AbortSignal.timeout(QUESTION_MS),
  }).catch(() => null);
  const date = Date.parse(response?.headers.get('date') ?? '');
  return Number.isNaN(date) ? null : { other: 'Stripe', aheadMs: middle(before) - date };
}

/** The likely moment of the other reading. */
const middle = (before: number) => (before + Date.now()) / 2;

export function judgeDifference({ other, aheadMs }: Difference): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) < DOUBTFUL_MS) return works(`This machine's clock is that of ${other}.`);
  const sentence = `This machine's clock is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} that of ${other}`;
  return Math.abs(aheadMs) < WRONG_MS
    ? note(`${sentence}: let both follow a time server.`)
    : fails(`${sentence}: signed events of Stripe are refused with it. Let it follow a time server.`);
}
