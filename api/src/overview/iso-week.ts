import { addDays } from '@parts-forge/contract/days';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** The Mondays of the last so many weeks, that of a day included and last; days as `2026-11-21`. */
export function listMondays(day: string, weeks: number): string[] {
  const monday = addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
  return Array.from({ length: weeks }, (_, week) => addDays(monday, -(weeks - 1 - week) * 7));
}

/** The ISO 8601 week that begins with a Monday: `2026-W47`. It is of the year that has its Thursday. */
export function formatIsoWeek(monday: string): string {
  const thursday = new Date(`${addDays(monday, 3)}T00:00:00Z`);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS);
  return `${year}-W${String(week).padStart(2, '0')}`;
}
