import type { Page } from '@playwright/test';

/** Table rows that contain a text. */
export const findRow = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
