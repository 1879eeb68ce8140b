const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** In the reader's time zone: `18 Nov 2026`. */
export const formatDay = (instant: string): string => day.format(new Date(instant));
