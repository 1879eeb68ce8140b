import { addDays, readDay } from '@parts-forge/contract/text/days';
import { proveMonth } from '#src/consistency/prove-month.ts';
import { createPaymentProvider } from '#src/payments/provider/create-provider.ts';
import { type Clock, systemClock } from '#src/platform/core/clock.ts';
import { createLog } from '#src/platform/core/log.ts';
import { ensureInstance } from '#src/platform/database/instance.ts';
import { countAppliedMigrations, countMigrations } from '#src/platform/database/migrate.ts';
import { type Finding, fails, type Visit, works } from './check.ts';

/** The proof of the last month, as its page shows it. */
export async function checkMonth(
  { config, openDatabase }: Visit,
  clock: Clock = systemClock,
): Promise<Finding[]> {
  const database = await openDatabase().catch(() => null);
  if (!database || (await countAppliedMigrations(database.db)) !== countMigrations()) return [];
  const today = readDay(clock.now(), config.timeZone);
  const month = addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
  const payments = await createPaymentProvider({ config, database, clock, log: createLog('fatal') });
  const { instanceId } = await ensureInstance(database.db);
  const { agree, differences } = await proveMonth({ clock, config, database, payments, instanceId }, month);
  if (agree) return [works(`Orders, papers, payments, provider and stock agree on ${month}.`)];
  const count = differences.filter(({ month: there }) => there === undefined).length;
  const page = `/dashboard/overview/month?month=${month}`;
  return [fails(`${count} ${count === 1 ? 'difference' : 'differences'} in ${month}: see ${page}.`)];
}
