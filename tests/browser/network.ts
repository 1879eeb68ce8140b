import type { Page, Route } from '@playwright/test';

/** Delays requests until the returned function is called. */
export async function holdRequests(page: Page, address: string, method?: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (hasMethod(route, method)) await promise;
    await route.fallback();
  });
  return resolve;
}

export const answerRequests = (
  page: Page,
  address: string,
  json: object,
  { method = 'GET', status = 200 } = {},
) =>
  page.route(address, (route) =>
    hasMethod(route, method) ? route.fulfill({ status, json }) : route.fallback(),
  );

/** @param retryAfter seconds */
export function refuseRequest(
  route: Route,
  status: number,
  code: string,
  { title = code, retryAfter, ...more }: { title?: string; retryAfter?: number; current?: object } = {},
): Promise<void> {
  return route.fulfill({
    status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
    json: { type: `urn:parts-forge:problem:${code}`, title, status, detail: title, ...more },
  });
}

const hasMethod = (route: Route, method?: string) => !method || route.request().method() === method;
