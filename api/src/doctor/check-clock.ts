import { type Finding, fails, note, QUESTION_MS, type Visit, works } from './check.ts';

/** Stripe's signatures are taken for five minutes, and access tokens are issued to the second. */
const WRONG_MS = 240_000;
const DOUBTFUL_MS = 5_000;

/** This machine's clock against those of the database and of Stripe, which need not be right either. */
export async function checkClock(visit: Visit): Promise<Finding[]> {
  const differences = await Promise.all([compareWithDatabase(visit), compareWithStripe(visit)]);
  return differences.flatMap((difference) => difference ?? []).map(judgeDifference);
}

interface Difference {
  other: string;
  /** How far this machine is ahead, in milliseconds. */
  aheadMs: number;
}

async function compareWithDatabase({ config, openDatabase }: Visit): Promise<Difference | null> {
  // That it does not answer is told by its own check; the embedded one has this machine's clock.
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

/** The moment in which the other one most likely looked at its clock. */
const middle = (before: number) => (before + Date.now()) / 2;

export function judgeDifference({ other, aheadMs }: Difference): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) < DOUBTFUL_MS) return works(`This machine's clock is that of ${other}.`);
  const sentence = `This machine's clock is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} that of ${other}`;
  return Math.abs(aheadMs) < WRONG_MS
    ? note(`${sentence}: let both follow a time server.`)
    : fails(`${sentence}: signed events of Stripe are refused with it. Let it follow a time server.`);
}
