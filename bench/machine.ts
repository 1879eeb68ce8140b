import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';

/** Nothing that identifies the machine. */
export interface Machine {
  measuredAt: string;
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  /** Load average before: above the cores, other work disturbed the figures. */
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
