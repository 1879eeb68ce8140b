import type { Metrics } from '#src/platform/core/metrics.ts';

/** In seconds; the queue expires a round after ten minutes. */
const DURATIONS = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600];

/**
 * @param names of jobs that are late without a success for a while
 * @returns records the outcome and seconds of a round
 */
export function measureJobs(
  metrics: Metrics,
  names: readonly string[],
): (name: string, outcome: 'done' | 'failed', seconds: number) => void {
  const durations = metrics.histogram({
    name: 'shop_job_duration_seconds',
    help: 'Rounds of the regular work in this process and the time that each took, by how it ended: done, failed.',
    labelNames: ['name', 'outcome'],
    buckets: DURATIONS,
  });
  const lastDone = metrics.gauge({
    name: 'shop_job_last_done_timestamp_seconds',
    aggregator: 'max',
    help: 'When this process last did a round of the regular work, or began to; another process may have done a later one.',
    labelNames: ['name'],
  });
  for (const name of names) {
    lastDone.setToCurrentTime({ name });
    // Prometheus sees an increase only from an existing figure.
    for (const outcome of ['done', 'failed']) durations.zero({ name, outcome });
  }
  return (name, outcome, seconds) => {
    durations.observe({ name, outcome }, seconds);
    if (outcome === 'done') lastDone.setToCurrentTime({ name });
  };
}
