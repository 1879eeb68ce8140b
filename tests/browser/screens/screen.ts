import { type APIRequestContext, test as base, type Page } from '@playwright/test';
import { storeTheme, type themes } from '../accessibility.ts';
import { type Person, register } from '../people.ts';
import type { Product } from '../products.ts';

/** For `<screen>.<desktop|phone>.<theme>.png`. */
const folder = 'screenshots';

export interface ScreenOptions {
  theme: (typeof themes)[number];
}

interface Camera {
  /** @param whole false where something floats over the page */
  take: (name: string, whole?: boolean) => Promise<void>;
}

export const test = base.extend<ScreenOptions & Camera>({
  theme: ['light', { option: true }],
  page: async ({ page, theme }, use) => {
    await storeTheme(page, theme);
    await use(page);
  },
  take: async ({ page }, use) => {
    await use((name, whole = true) => takePicture(page, name, whole));
  },
});

async function takePicture(page: Page, name: string, whole: boolean): Promise<void> {
  // The last pressed element would look hovered.
  await page.mouse.move(0, 0);
  await page.evaluate(async (toTop) => {
    // Fixed elements would appear in the middle of the picture.
    if (toTop) window.scrollTo(0, 0);
    await document.fonts.ready;
    // Lazy pictures further down wait for scrolling.
    for (const picture of document.images) picture.loading = 'eager';
    await Promise.allSettled(Array.from(document.images, (picture) => picture.decode()));
  }, whole);
  await page.screenshot({
    path: `${folder}/${name}.${test.info().project.name}.png`,
    fullPage: whole,
    animations: 'disabled',
  });
}

let count = 0;

export function registerNamed(
  request: APIRequestContext,
  name: string,
  at = 'fieldrepair.example',
): Promise<Person> {
  count += 1;
  const first = name.split(' ')[0]?.normalize('NFD').replace(/\W/g, '').toLowerCase();
  return register(request, {
    name,
    email: `${first}${test.info().workerIndex * 100 + count}@${at}`,
    password: 'secret 1',
  });
}

export async function findProduct(request: APIRequestContext, name: string): Promise<Product> {
  const [product] = await (await request.get(`/product?q=${encodeURIComponent(name)}`)).json();
  if (!product) throw new Error(`The demonstration shop has no ${name}.`);
  return product;
}
