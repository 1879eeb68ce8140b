import type { Page } from '@playwright/test';

/** Fills in where an order is sent to. */
export async function fillDelivery(page: Page): Promise<void> {
  await page.getByLabel('Address').fill('12 Oxford Street, Osu\nAccra, Ghana');
  await page.getByLabel('phone').fill('233302771204');
}
