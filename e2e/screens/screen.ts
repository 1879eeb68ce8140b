import { type APIRequestContext, test as base, type Page } from '@playwright/test';
import { inTheme, type themes } from '../accessible.ts';
import { type Person, registered } from '../people.ts';
import type { Part } from '../stock.ts';

/** Where the pictures go: `<screen>.<desktop|phone>.<theme>.png`. */
const folder = 'screenshots';

export interface ScreenOptions {
  theme: (typeof themes)[number];
}

interface Camera {
  /** @param whole the whole page, or the window alone where something floats over it */
  take: (name: string, whole?: boolean) => Promise<void>;
}

export const test = base.extend<ScreenOptions & Camera>({
  theme: ['light', { option: true }],
  page: async ({ page, theme }, use) => {
    await inTheme(page, theme);
    await use(page);
  },
  take: async ({ page }, use) => {
    await use((name, whole = true) => takePicture(page, name, whole));
  },
});

async function takePicture(page: Page, name: string, whole: boolean): Promise<void> {
  // What was pressed last would look hovered.
  await page.mouse.move(0, 0);
  await page.evaluate(async (toTop) => {
    // What is fixed to the window would stand in the middle of the picture.
    if (toTop) window.scrollTo(0, 0);
    await document.fonts.ready;
    // Pictures further down wait to be scrolled to.
    for (const picture of document.images) picture.loading = 'eager';
    await Promise.allSettled(Array.from(document.images, (picture) => picture.decode()));
  }, whole);
  await page.screenshot({
    path: `${folder}/${name}.${test.info().project.name}.png`,
    fullPage: whole,
    animations: 'disabled',
  });
}

let met = 0;

/** Somebody registered for these pictures alone. */
export function someone(
  request: APIRequestContext,
  name: string,
  at = 'fieldrepair.example',
): Promise<Person> {
  met += 1;
  const first = name.split(' ')[0]?.normalize('NFD').replace(/\W/g, '').toLowerCase();
  return registered(request, {
    name,
    email: `${first}${test.info().workerIndex * 100 + met}@${at}`,
    password: 'secret 1',
  });
}

/** A part of the demonstration shop. */
export async function partNamed(request: APIRequestContext, name: string): Promise<Part> {
  const [part] = await (await request.get(`/product?q=${encodeURIComponent(name)}`)).json();
  if (!part) throw new Error(`The demonstration shop has no ${name}.`);
  return part;
}
