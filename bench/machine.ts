import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';

/** What the figures depend on, without anything that tells whose machine it was. */
export interface Machine {
  measuredAt: string;
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  /** Processes that wanted to run in the minute before: above the cores, others disturbed the figures. */
  loadBefore: number;
}

export const describeMachine = (): Machine => ({
  measuredAt: new Date().toISOString(),
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${arch()}`,
  node: process.versions.node,
  loadBefore: Number((loadavg()[0] ?? 0).toFixed(1)),
});
