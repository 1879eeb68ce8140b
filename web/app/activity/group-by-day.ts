const DAY_MS = 24 * 60 * 60 * 1000;

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const dateWithYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' });

/**
 * Rows, newest first, in groups of a day of the reader's time zone: `Today, 21 November`, `Friday, 20 November`, with the
 * year where it is another one.
 */
export function groupByDay<Row extends { at: string }>(
  rows: readonly Row[],
  now: Date,
): { day: string; rows: Row[] }[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const day = nameDay(new Date(row.at), now);
    groups.set(day, [...(groups.get(day) ?? []), row]);
  }
  return [...groups].map(([day, group]) => ({ day, rows: group }));
}

function nameDay(at: Date, now: Date): string {
  const isThisYear = at.getFullYear() === now.getFullYear();
  return `${nameWeekday(at, now)}, ${(isThisYear ? date : dateWithYear).format(at)}`;
}

function nameWeekday(at: Date, now: Date): string {
  if (at.toDateString() === now.toDateString()) return 'Today';
  if (at.toDateString() === new Date(now.getTime() - DAY_MS).toDateString()) return 'Yesterday';
  return weekday.format(at);
}
