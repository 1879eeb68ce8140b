import type { Page } from '@playwright/test';

export async function fillDelivery(page: Page): Promise<void> {
  await page.getByLabel('Address').fill('12 Oxford Street, Osu\nAccra, Ghana');
  await page.getByLabel('phone').fill('233302771204');
}
