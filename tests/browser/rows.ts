import type { Locator, Page } from '@playwright/test';

/** Further actions are in the row's menu. */
export async function pressInMenu(row: Locator, name: string | RegExp): Promise<void> {
  await row.getByRole('button', { name: /^More for/ }).click();
  await row.getByRole('button', { name }).click();
}

export const findRow = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
