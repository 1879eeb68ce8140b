const options = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** In the reader's time zone by default: `18 Nov 2026`. */
export const formatDay = (instant: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(new Date(instant));

/** As `formatDay`, for a row: `18 Nov 26`. */
export const formatRowDay = (instant: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, year: '2-digit', timeZone }).format(new Date(instant));

/** As `formatDay`, of a near end: `18 Nov`, within twelve hours from now `18:30`. */
export function formatNearEnd(instant: string, timeZone?: string): string {
  const hours = (Date.parse(instant) - Date.now()) / 3_600_000;
  const parts = hours > 0 && hours < 12 ? ({ timeStyle: 'short' } as const) : { ...options, year: undefined };
  return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone }).format(new Date(instant));
}
