import { expect, type Page } from '@playwright/test';

/** Classes of packages, and markers for rules of nested elements. */
const marks = [/^active$/, /^group\b/];

/** Classes on the page without a rule in its style sheets. */
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
 * The build collects the files of public pages for a separate style sheet. Classes of a missed file would
 * have no rule.
 */
export async function expectEveryClassStyled(page: Page): Promise<void> {
  const bare = (await findClassesWithoutRule(page)).filter((name) => !marks.some((mark) => mark.test(name)));
  expect(bare, page.url()).toEqual([]);
}
