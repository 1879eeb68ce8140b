import { expect, type Page } from '@playwright/test';

/** Names without rules of their own: those that packages give, and marks for the rules of what is inside. */
const marks = [/^active$/, /^group\b/];

/** The classes on the page that no rule of its style sheets names. */
const findClassesWithoutRule = (page: Page) =>
  page.evaluate(() => {
    const listSelectors = (rules: CSSRuleList): string[] =>
      [...rules].flatMap((rule) => [
        ...(rule instanceof CSSStyleRule ? [rule.selectorText] : []),
        ...('cssRules' in rule ? listSelectors(rule.cssRules as CSSRuleList) : []),
      ]);
    const selectors = [...document.styleSheets].flatMap(({ cssRules }) => listSelectors(cssRules)).join('\n');
    const named = new Set(selectors.match(/\.(?:\\.|[\w-])+/g));
    const used = new Set(
      [...document.querySelectorAll('[class]')].flatMap(({ classList }) => [...classList]),
    );
    return [...used].filter((name) => !named.has(`.${CSS.escape(name)}`));
  });

/**
 * Public pages load a style sheet of their own. The build collects the files that they import; a file that it overlooks
 * would leave its classes without a rule.
 */
export async function expectEveryClassStyled(page: Page): Promise<void> {
  const bare = (await findClassesWithoutRule(page)).filter((name) => !marks.some((mark) => mark.test(name)));
  expect(bare, page.url()).toEqual([]);
}
