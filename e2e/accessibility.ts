import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export const themes = ['light', 'dark'] as const;

/** A story of both themes shows on a phone what the light one shows. */
export const onPhoneWhenLight = (theme: (typeof themes)[number]) =>
  theme === 'light' ? { tag: '@phone' } : {};

/** Before the first visit of a page: the theme as a returning visitor has it stored. */
export const storeTheme = (page: Page, theme: (typeof themes)[number]) =>
  page.addInitScript((value) => localStorage.setItem('theme', value), theme);

export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * axe finds nothing on the page as it stands: WCAG 2.2 A and AA, and best practices.
 * @param rules axe's tags of the rules that hold, where those of whole pages do not: `wcag`
 */
export async function expectAccessible(page: Page, rules = [...wcag, 'best-practice']): Promise<void> {
  await waitForTransitions(page);
  const { violations } = await new AxeBuilder({ page })
    // Findings within frames are put together on a page of their own, which takes longer than the search.
    .setLegacyMode(page.frames().length === 1)
    .withTags(rules)
    .analyze();
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(findings, page.url()).toEqual([]);
}

/** Waits until transitions and animations with an end are over: colours on their way fail the contrast of either state. */
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

/** Nothing is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, view] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content, page.url()).toBeLessThanOrEqual(view ?? 0);
}
