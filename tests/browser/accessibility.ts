import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export const themes = ['light', 'dark'] as const;

/** Before the first visit. */
export const storeTheme = (page: Page, theme: (typeof themes)[number]) =>
  page.addInitScript((value) => localStorage.setItem('theme', value), theme);

export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Half the size of the builder's own. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * WCAG 2.2 A and AA, and best practices.
 * @param rules `wcag` where rules of whole pages do not apply
 * @param part selector
 */
export async function expectAccessible(
  page: Page,
  rules = [...wcag, 'best-practice'],
  part = 'html',
): Promise<void> {
  await waitForTransitions(page);
  const isAlone = page.frames().length === 1;
  const isLoaded = isAlone && (await page.evaluate(() => 'axe' in window));
  // The builder evaluates it twice a search, which took longer than the search.
  const axeSource = isLoaded ? 'true' : axe;
  const { violations } = await new AxeBuilder({ page, axeSource })
    .include(part)
    // Merging findings of frames takes longer than the search.
    .setLegacyMode(isAlone)
    .options({ runOnly: rules, resultTypes: ['violations'] })
    .analyze();
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(findings, page.url()).toEqual([]);
}

/** Widths of a small phone, a desktop at 200 % zoom, a tablet and a small laptop. */
const widths = [320, 720, 820, 1100];

/**
 * No finding in the light theme, enough contrast in the dark one, no overflow. Phones have a desktop's
 * colours and one width.
 * @param part selector
 */
export async function expectFit(page: Page, part = 'html'): Promise<void> {
  await showTheme(page, 'light');
  await expectAccessible(page, [...wcag, 'best-practice'], part);
  await expectNoSidewaysScroll(page);
  const size = page.viewportSize();
  if (!size || size.width < 1000) return;
  await showTheme(page, 'dark');
  await expectAccessible(page, ['color-contrast'], part);
  for (const width of widths) {
    await page.setViewportSize({ width, height: size.height });
    await expectNoSidewaysScroll(page);
  }
  await page.setViewportSize(size);
}

const showTheme = (page: Page, theme: (typeof themes)[number]) =>
  page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
  }, theme);

/** Intermediate colours fail the contrast. */
async function waitForTransitions(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const running = () =>
      document.getAnimations().filter(({ effect, playState }) => {
        return playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
      });
    for (let moving = running(); moving.length > 0; moving = running()) {
      await Promise.allSettled(moving.map(({ finished }) => finished));
    }
  });
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const tooWide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    // The element at fault also ends at the page's right edge.
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right + scrollX > scrollWidth - 1)
      .map(({ outerHTML }) => outerHTML.slice(0, 200));
  });
  expect(tooWide, `${page.url()} at ${page.viewportSize()?.width} px`).toEqual([]);
}
