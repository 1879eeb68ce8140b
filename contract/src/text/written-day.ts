import { isDay } from './days.ts';

export const DAY_FORMS = ['day first', 'month first', 'year first'] as const;
export type DayForm = (typeof DAY_FORMS)[number];

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';

/**
 * `2026-11-28`, `28.11.2026`, `28 Nov 2026`, `Nov 28, 2026`, `11/28/26`, also before a time.
 * @param form of two figures and a year
 * @returns null for others
 */
export function readWrittenDay(text: string, form?: DayForm): string | null {
  const spelled = text
    .replace(/^([a-z]{3,9})\.? (\d\d?),? /i, '$2 $1 ')
    .replace(
      /[ .-]{1,3}([a-z]{3})[a-z]{0,6}[ .,-]{1,3}/i,
      (_, name) => `.${MONTHS.indexOf(name.toLowerCase()) / 3 + 1}.`,
    );
  const [, a = '', mark, b = '', c = ''] =
    /^(\d{1,4})([-./]) ?(\d\d?)\2 ?(\d{1,4})(?![^\s,.T])/.exec(spelled) ?? [];
  const given = a.length > 2 ? 'year first' : mark === '.' ? 'day first' : form;
  const [year = '', month = '', day = ''] =
    given === 'year first' ? [a, b, c] : given === 'day first' ? [c, b, a] : given ? [c, a, b] : [];
  const read = `${year.length === 2 ? '20' : ''}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(read) ? read : null;
}

/** Finds a day that has two readings, and the forms that read all days of a file. Null for none. */
export function findDayForms(texts: readonly string[]): { example: string; forms: DayForm[] } | null {
  const open = texts.filter(isOpenDay);
  const forms = DAY_FORMS.filter((form) => open.every((text) => readWrittenDay(text, form) !== null));
  return open[0] === undefined ? null : { example: open[0], forms };
}

/** Two figures and a year. */
export const isOpenDay = (text: string): boolean => /^\d\d?[-/]\d/.test(text);
