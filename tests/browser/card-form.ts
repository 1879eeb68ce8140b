import { expect, type Page } from '@playwright/test';

export const cardFrame = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]');

/** Never expires. */
const nextDecember = `12 / ${String(new Date().getFullYear() + 1).slice(-2)}`;

/** The selectors also fit the real provider. */
export async function fillCard(
  page: Page,
  number: string,
  expiry = nextDecember,
  cvc = '123',
): Promise<void> {
  const frame = cardFrame(page);
  await frame.locator('[name=number]').fill(number);
  await frame.locator('[name=expiry]').fill(expiry);
  await frame.locator('[name=cvc]').fill(cvc);
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });

export async function answerBank(page: Page, answer: 'authorize' | 'fail'): Promise<void> {
  await expect
    .poll(async () => {
      for (const frame of page.frames()) {
        const button = frame.locator(`#test-source-${answer}-3ds`);
        if ((await button.count()) > 0) {
          await button.click();
          return true;
        }
      }
      return false;
    })
    .toBe(true);
}
