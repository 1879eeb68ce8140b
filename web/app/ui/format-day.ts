const options = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** In the reader's time zone by default: `18 Nov 2026`. */
export const formatDay = (instant: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(new Date(instant));

/** `18 Nov` */
export const formatShortDay = (instant: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }).format(new Date(instant));
