import { addDays } from '@parts-forge/contract/text/days';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** Mondays of the last `weeks` weeks, oldest first, ending with the week of `day`; days as `2026-11-21`. */
export function listMondays(day: string, weeks: number): string[] {
  const monday = addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
  return Array.from({ length: weeks }, (_, week) => addDays(monday, -(weeks - 1 - week) * 7));
}

/** The ISO 8601 week of a Monday: `2026-W47`. It belongs to its Thursday's year. */
export function formatIsoWeek(monday: string): string {
  const thursday = new Date(`${addDays(monday, 3)}T00:00:00Z`);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS);
  return `${year}-W${String(week).padStart(2, '0')}`;
}
