import { makeDataFolder } from './data-folder.ts';
import { type Figure, summarize } from './figures.ts';
import { startShop } from './shop-process.ts';

const runs = 3;

/** Milliseconds from the command to the first 200. */
export interface StartTimes {
  readyMs: Figure;
  homePageMs: Figure;
}

/** @param empty with a new data folder @param withData with the demo shop from an earlier start */
export interface StartResult {
  empty: StartTimes;
  withData: StartTimes;
}

/** Time of `node scripts/start.mjs` in a built project until it is ready and serves the home page. */
export async function measureStart(): Promise<StartResult> {
  const empty: Times[] = [];
  const withData: Times[] = [];
  for (let run = 0; run < runs; run += 1) {
    const folder = makeDataFolder();
    try {
      empty.push(await timesOfOneStart(folder.path));
      withData.push(await timesOfOneStart(folder.path));
    } finally {
      await folder.remove();
    }
  }
  return { empty: summary(empty), withData: summary(withData) };
}

interface Times {
  readyMs: number;
  homePageMs: number;
}

async function timesOfOneStart(dataDir: string): Promise<Times> {
  const shop = await startShop({ DATA_DIR: dataDir, SEED: 'demo' });
  try {
    // Concurrent, as a person opens the page while the shop starts.
    const [ready, homePage] = await Promise.all([shop.firstSuccess('/readyz'), shop.firstSuccess('/')]);
    if (/Installing|Building/.test(shop.said())) {
      throw new Error('The sources changed while the start was measured: this was a build. Measure again.');
    }
    return { readyMs: ready - shop.startedAt, homePageMs: homePage - shop.startedAt };
  } finally {
    await shop.stop();
  }
}

const summary = (times: Times[]): StartTimes => ({
  readyMs: summarize(times, ({ readyMs }) => readyMs, 0),
  homePageMs: summarize(times, ({ homePageMs }) => homePageMs, 0),
});
