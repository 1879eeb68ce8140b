import type { Page } from '@playwright/test';

/** The rows of a table that contain a text. */
export const findRow = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
