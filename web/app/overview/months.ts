import { addDays, nextMonth, readDay } from '@parts-forge/contract/text/days';

/** `2026-11` in the shop's time zone. */
export const findCurrentMonth = (timeZone: string): string => readDay(new Date(), timeZone).slice(0, 7);

export const findMonthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7);
export const findMonthAfter = (month: string): string => nextMonth(month).slice(0, 7);

const formatUtc = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

export const formatMonth = (month: string): string =>
  formatUtc(`${month}-01`, { month: 'long', year: 'numeric' });

export const nameMonth = (month: string): string => formatUtc(`${month}-01`, { month: 'long' });

/** `2 Nov`. */
export const formatDayOfMonth = (day: string): string => formatUtc(day, { day: 'numeric', month: 'short' });
