import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closing } from './closing.ts';

const PERIOD_US = 10_000;

/** By version of the control groups' interface. */
const versions = [
  {
    folder: '/sys/fs/cgroup/cpu',
    isThere: () => existsSync('/sys/fs/cgroup/cpu/cpu.cfs_quota_us'),
    limit: (group: string, quotaUs: number) => {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
    },
  },
  {
    folder: '/sys/fs/cgroup',
    isThere: () => readFileSync('/sys/fs/cgroup/cgroup.subtree_control', 'utf8').split(/\s/).includes('cpu'),
    limit: (group: string, quotaUs: number) =>
      writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${PERIOD_US}`),
  },
];

/**
 * @param share of one core, above 0
 * @returns cleans up after the processes have ended; null where limits are impossible
 */
export function limitProcessor(pids: readonly number[], share: number): (() => Promise<void>) | null {
  const groups: string[] = [];
  const remove = closing(async () => {
    for (const group of groups) rmdirSync(group);
  });
  try {
    const version = versions.find(({ isThere }) => isThere());
    if (!version) return null;
    for (const pid of pids) {
      const group = join(version.folder, `parts-forge-bench-${pid}`);
      mkdirSync(group);
      groups.push(group);
      version.limit(group, Math.round(share * PERIOD_US));
      writeFileSync(join(group, 'cgroup.procs'), String(pid));
    }
    return remove;
  } catch {
    return null;
  }
}
