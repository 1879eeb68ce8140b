/** A day is a text such as `2026-11-21`; a zone is an IANA name. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** Known IANA names only, not `+02:00`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /[a-z]/i.test(name);
  } catch {
    return false;
  }
}

export const nameTimeZone = (timeZone: string): string => timeZone.replaceAll('_', ' ');

/** Creating a format takes longer than a hundred uses. */
const formats = new Map<string, Intl.DateTimeFormat>();
function findFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}

/** Local time as if it were UTC. */
function readClock(at: Date, timeZone: string): Date {
  const parts = Object.fromEntries(
    findFormat(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

export const readDay = (at: Date, timeZone: string): string =>
  readClock(at, timeZone).toISOString().slice(0, 10);

/** A negative count subtracts. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

/** Not of 2026-02-31, which browsers read as a day in March. */
export const isDay = (text: string): text is `${number}-${number}-${number}` =>
  /^[2-9]\d{3}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text);

/** First day of the month after `2026-11`: `2026-12-01`. */
export const nextMonth = (month: string): string => `${addDays(`${month}-01`, 31).slice(0, 7)}-01`;

/** First instant, also where a clock change skips midnight. */
export function beginDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The offset may change on this day: try those of both neighbours.
  const [before, after] = [midnight - DAY_MS, midnight + DAY_MS].map(
    (ms) => midnight - (readClock(new Date(ms), timeZone).getTime() - ms),
  ) as [number, number];
  const inTurn = [Math.min(before, after), Math.max(before, after)];
  const first = inTurn.find((ms) => readDay(new Date(ms), timeZone) === day);
  return new Date(first ?? before);
}

/** The instant at which a day begins; other texts stay. */
export const beginSentDay = (text: string, timeZone: string): string =>
  isDay(text) ? beginDay(text, timeZone).toISOString() : text;
