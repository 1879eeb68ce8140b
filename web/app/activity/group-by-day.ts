import { addDays, readDay } from '@parts-forge/contract/text/days';

const date = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long' });
const dateWithYear = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'long' });

/** Newest first: `Today, 21 November`, `Friday, 20 November`. Other years are named. */
export function groupByDay<Row extends { at: string }>(
  rows: readonly Row[],
  now: Date,
  timeZone: string,
): { day: string; rows: Row[] }[] {
  const today = readDay(now, timeZone);
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const day = nameDay(readDay(new Date(row.at), timeZone), today);
    groups.set(day, [...(groups.get(day) ?? []), row]);
  }
  return [...groups].map(([day, group]) => ({ day, rows: group }));
}

function nameDay(day: string, today: string): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return `${nameWeekday(day, today)}, ${(isThisYear ? date : dateWithYear).format(new Date(day))}`;
}

function nameWeekday(day: string, today: string): string {
  if (day === today) return 'Today';
  if (day === addDays(today, -1)) return 'Yesterday';
  return weekday.format(new Date(day));
}
