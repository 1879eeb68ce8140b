const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** At most two units: `6 min`, `18 h`, `1 day 2 h`. */
export function formatDuration(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / MINUTE_MS);
  if (minutes === 0) return 'under a minute';
  if (ms < HOUR_MS) return `${minutes} min`;
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const days = Math.floor(ms / DAY_MS);
  const parts = [days === 1 ? '1 day' : days > 0 ? `${days} days` : '', hours > 0 ? `${hours} h` : ''];
  return parts.filter(Boolean).join(' ');
}
