import type { Page } from '@playwright/test';

export const findRow = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
