/** `47` of `2026-W47`. */
export const readWeekNumber = (week: string): number => Number(week.split('-W')[1]);

/** `Week 47` of `2026-W47`. */
export const formatWeek = (week: string): string => `Week ${readWeekNumber(week)}`;
