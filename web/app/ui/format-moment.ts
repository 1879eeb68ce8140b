const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** The minute of an instant of the wire, in the reader's time zone: `18 Nov 2026, 14:05`. */
export const formatMoment = (instant: string): string => moment.format(new Date(instant));

const longMoment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** The same where a sentence says until when something is to be done: `18 November 2026, 14:05`. */
export const formatLongMoment = (instant: string): string =>
  longMoment.format(new Date(instant)).replace(' at ', ', ');
