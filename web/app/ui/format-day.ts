const options = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const day = new Intl.DateTimeFormat('en-GB', options);

/** In the reader's time zone by default: `18 Nov 2026`. */
export function formatDay(instant: string, timeZone?: string): string {
  const format = timeZone === undefined ? day : new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  return format.format(new Date(instant));
}
