const options = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const;
const moment = new Intl.DateTimeFormat('en-GB', options);

/** In the reader's time zone by default: `18 Nov 2026, 14:05`. */
export function formatMoment(instant: string, timeZone?: string): string {
  const format = timeZone === undefined ? moment : new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  return format.format(new Date(instant));
}

/** `today, 09:12`, else as `formatMoment`. */
export function formatRecent(instant: string): string {
  const [day, time] = formatMoment(instant).split(', ');
  return day === formatMoment(new Date().toISOString()).split(', ')[0] ? `today, ${time}` : `${day}, ${time}`;
}
