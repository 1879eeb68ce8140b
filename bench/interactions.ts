import { partPath } from '@parts-forge/contract/part-rules';
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { withBrowser } from './browser.ts';
import { makeDataFolder } from './data-folder.ts';
import { type Figure, summarize } from './figures.ts';
import { findProduct } from './find-product.ts';
import { administrator, startShop } from './shop-process.ts';

const rounds = 5;
/** Of the simulated device. */
const slowdown = 4;
const patienceMs = 30_000;
const pauseMs = 250;
/** Duration of a press. */
const heldMs = 80;
/** Event Timing reports no shorter interactions. */
const shortestMs = 16;
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

export interface InteractionResult {
  what: string;
  nextPaintMs: Figure;
}

export interface RouteResult {
  link: string;
  paintedMs: Figure;
}

export interface InteractionsResult {
  chromium: string;
  slowdown: number;
  interactions: InteractionResult[];
  routes: RouteResult[];
}

interface Interaction {
  what: string;
  viewport: typeof desktop;
  signedIn?: boolean;
  open: (page: Page) => Promise<unknown>;
  act: (page: Page) => Promise<unknown>;
}

/** In the order of their links. */
const routes = [
  { link: 'All Parts', heading: 'All Products' },
  { link: 'Blogs', heading: 'Blogs' },
  { link: 'MyPortfolio', heading: 'Nadia Brandt' },
  { link: 'Login', heading: 'Login' },
] as const;

/** Press to next paint on a machine four times slower (Event Timing), and link to paint at full speed. */
export async function measureInteractions(): Promise<InteractionsResult> {
  const folder = makeDataFolder();
  // Only the demonstration has orders to accept.
  const shop = await startShop({ DATA_DIR: folder.path, SEED: 'demo' });
  try {
    await shop.firstSuccess('/readyz');
    const origin = `http://localhost:${shop.port}`;
    const part = partPath(await findProduct(shop.port));
    return await withBrowser(async (browser) => {
      const interactions: InteractionResult[] = [];
      for (const interaction of listInteractions(part)) {
        const slowest: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          slowest.push(await measureInteraction(browser, origin, interaction));
        }
        interactions.push({ what: interaction.what, nextPaintMs: summarize(slowest, 0) });
      }
      const runs: number[][] = [];
      for (let round = 0; round < rounds; round += 1) runs.push(await measureRoutes(browser, origin));
      return {
        chromium: browser.version(),
        slowdown,
        interactions,
        routes: routes.map(({ link }, index) => ({
          link,
          paintedMs: summarize(
            runs.map((run) => run[index] ?? Number.NaN),
            0,
          ),
        })),
      };
    });
  } finally {
    await shop.stop();
    await folder.remove();
  }
}

const listInteractions = (part: string): Interaction[] => [
  {
    what: 'typing a search in /all-products',
    viewport: desktop,
    open: async (page) => {
      await page.goto('/all-products');
      await page.getByRole('searchbox').first().waitFor();
    },
    act: async (page) => {
      await page.getByRole('searchbox').first().pressSequentially('display', { delay: 120 });
      await page.waitForURL(/q=display/);
    },
  },
  {
    what: 'the stepper of a part',
    viewport: desktop,
    open: (page) => page.goto(part),
    act: async (page) => {
      const more = page.getByRole('button', { name: /^Increase quantity/ });
      for (let presses = 0; presses < 5; presses += 1) await pressAndPause(more);
    },
  },
  {
    what: 'the menu of a phone',
    viewport: phone,
    open: (page) => page.goto('/'),
    act: async (page) => {
      const menu = page.getByRole('button', { name: 'Menu' });
      for (let presses = 0; presses < 4; presses += 1) await pressAndPause(menu);
    },
  },
  {
    what: 'accepting a payment in the list of orders',
    viewport: desktop,
    signedIn: true,
    open: async (page) => {
      await page.goto('/dashboard/manage-orders?status=pending');
      await findAccept(page).waitFor();
    },
    act: async (page) => {
      await press(findAccept(page));
      // A partly refunded order asks for confirmation first.
      await page.getByText('Order Payment Accepted').or(page.getByRole('dialog')).waitFor();
    },
  },
];

/**
 * Hovers first and releases later, like a person. `force` skips Playwright's check, which would count as part
 * of the press.
 */
async function press(button: Locator): Promise<void> {
  await button.hover();
  await button.page().waitForTimeout(pauseMs);
  await button.click({ force: true, delay: heldMs });
}

async function pressAndPause(button: Locator): Promise<void> {
  await press(button);
  await button.page().waitForTimeout(pauseMs);
}

const findAccept = (page: Page) => page.getByRole('button', { name: /^accept payment/ }).first();

async function measureInteraction(browser: Browser, origin: string, interaction: Interaction) {
  const { viewport, signedIn, open, act } = interaction;
  const context = await browser.newContext({ viewport, baseURL: origin });
  context.setDefaultTimeout(patienceMs);
  try {
    if (signedIn) await signIn(context);
    const page = await context.newPage();
    await open(page);
    await page.waitForLoadState('networkidle');
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.evaluate((durationThreshold) => {
      const waits: number[] = [];
      Object.assign(window, { waits });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[]) {
          if (entry.interactionId) waits.push(entry.duration);
        }
      }).observe({ type: 'event', durationThreshold } as PerformanceObserverInit);
    }, shortestMs);
    await act(page);
    // The last event is reported after its paint.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300))),
    );
    const waits = await page.evaluate(() => (window as { waits?: number[] }).waits ?? []);
    return Math.max(shortestMs, ...waits);
  } finally {
    await context.close();
  }
}

async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto('/login');
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Login', exact: true }) });
  await form.getByLabel('Email').fill(administrator.email);
  await form.getByLabel('Password', { exact: true }).fill(administrator.password);
  await form.getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL('/');
  await page.close();
}

/** From each press to the frame after the heading's. */
async function measureRoutes(browser: Browser, origin: string): Promise<number[]> {
  const context = await browser.newContext({ viewport: desktop, baseURL: origin });
  try {
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    await page.goto('/', { waitUntil: 'networkidle' });
    const times: number[] = [];
    for (const { link, heading } of routes) {
      const pressed = page.getByRole('banner').getByRole('link', { name: link }).first();
      // People hover before they press.
      await pressed.hover();
      await page.waitForTimeout(pauseMs);
      times.push(await pressed.evaluate(pressAndWait, heading));
      await page.waitForLoadState('networkidle');
    }
    return times;
  } finally {
    await context.close();
  }
}

function pressAndWait(link: Element, heading: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const look = () => {
      const waited = performance.now() - begun;
      if (document.querySelector('h1')?.textContent === heading) {
        requestAnimationFrame(() => resolve(performance.now() - begun));
      } else if (waited > 10_000) reject(new Error(`No page has the heading ${heading}.`));
      else requestAnimationFrame(look);
    };
    (link as HTMLElement).click();
    requestAnimationFrame(look);
  });
}
