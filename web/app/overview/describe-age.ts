import { formatCount } from '@parts-forge/contract/money/money';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** The age of an ISO time in one unit: `2 days`, `5 hours`, `less than an hour`. */
export function describeAge(instant: string, nowMs = Date.now()): string {
  const ageMs = nowMs - Date.parse(instant);
  if (ageMs < HOUR_MS) return 'less than an hour';
  const [count, unit] =
    ageMs < 2 * DAY_MS ? [Math.floor(ageMs / HOUR_MS), 'hour'] : [Math.floor(ageMs / DAY_MS), 'day'];
  return formatCount(count, unit);
}
