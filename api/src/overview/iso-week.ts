const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;

/** The Mondays of the last so many weeks in UTC, the present one included and last. */
export function listMondays(now: Date, weeks: number): Date[] {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const monday = midnight - ((now.getUTCDay() + 6) % 7) * DAY_MS;
  return Array.from({ length: weeks }, (_, week) => new Date(monday - (weeks - 1 - week) * WEEK_MS));
}

/** The ISO 8601 week that begins with a Monday: `2026-W47`. It is of the year that has its Thursday. */
export function formatIsoWeek(monday: Date): string {
  const thursday = new Date(monday.getTime() + 3 * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS);
  return `${year}-W${String(week).padStart(2, '0')}`;
}
