import { expect, type Page } from '@playwright/test';

/** Classes of packages, and markers for nested rules. */
const marks = [/^active$/, /^group\b/];

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

/** The build collects the files for the public style sheet; classes of a missed file would have no rule. */
export async function expectEveryClassStyled(page: Page): Promise<void> {
  const bare = (await findClassesWithoutRule(page)).filter((name) => !marks.some((mark) => mark.test(name)));
  expect(bare, page.url()).toEqual([]);
}
