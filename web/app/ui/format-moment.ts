const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** The minute of an instant of the wire, in the reader's time zone: `18 Nov 2026, 14:05`. */
export const formatMoment = (instant: string): string => moment.format(new Date(instant));
