import type { Metrics } from '#src/platform/core/metrics.ts';

/** The queue expires a round after ten minutes. */
const DURATIONS = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600];

/** @param names of jobs that are late without a success for a while */
export function measureJobs(
  metrics: Metrics,
  names: readonly string[],
): (name: string, outcome: 'done' | 'failed', seconds: number) => void {
  const durations = metrics.histogram({
    name: 'shop_job_duration_seconds',
    help: 'Duration of job runs in this process by outcome: done, failed.',
    labelNames: ['name', 'outcome'],
    buckets: DURATIONS,
  });
  const lastDone = metrics.gauge({
    name: 'shop_job_last_done_timestamp_seconds',
    aggregator: 'max',
    help: 'Last success of a job in this process, or the start of the process; another process may have a later one.',
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
