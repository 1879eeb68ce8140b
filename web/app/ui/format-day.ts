const options = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** In the reader's time zone by default: `18 Nov 2026`. */
export const formatDay = (instant: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(new Date(instant));

/** As `formatDay`, for a row: `18 Nov 26`. */
export const formatRowDay = (instant: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, year: '2-digit', timeZone }).format(new Date(instant));

/** As `formatDay`, of a day that is near: `18 Nov`. */
export const formatShortDay = (instant: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, year: undefined, timeZone }).format(new Date(instant));
