/** The calendar days of a time zone. A day is a text such as `2026-11-21`, a zone its IANA name. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether this runtime knows the zone by its IANA name; `+02:00` names none. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/** A zone's name as people read it: `America/New York`. */
export const nameTimeZone = (timeZone: string): string => timeZone.replaceAll('_', ' ');

/** Made once for each zone: making one takes longer than using it a hundred times. */
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

/** What clock and calendar of the zone show, as if they were of UTC. */
function readClock(at: Date, timeZone: string): Date {
  const parts = Object.fromEntries(
    findFormat(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

/** The day on which a moment is. */
export const readDay = (at: Date, timeZone: string): string =>
  readClock(at, timeZone).toISOString().slice(0, 10);

/** The day that is so many days after another, or before it. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

/** The first moment of a day; where the clock leaves midnight out, what it shows first. */
export function beginDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The zone's distance from UTC may change on this very day: what it is the day before, and the day after.
  const [before, after] = [midnight - DAY_MS, midnight + DAY_MS].map(
    (ms) => midnight - (readClock(new Date(ms), timeZone).getTime() - ms),
  ) as [number, number];
  const inTurn = [Math.min(before, after), Math.max(before, after)];
  const first = inTurn.find((ms) => readDay(new Date(ms), timeZone) === day);
  return new Date(first ?? before);
}
