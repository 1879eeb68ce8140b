import type { Page, Route } from '@playwright/test';

/** Calls to an address are on their way until the function that it gives is called. */
export async function hold(page: Page, address: string, method?: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (isOf(route, method)) await released;
    await route.fallback();
  });
  return release;
}

/** Every call to an address is answered with `json`, a refusal where `status` is one. */
export const answer = (page: Page, address: string, json: object, { method = 'GET', status = 200 } = {}) =>
  page.route(address, (route) => (isOf(route, method) ? route.fulfill({ status, json }) : route.fallback()));

const isOf = (route: Route, method?: string) => !method || route.request().method() === method;
