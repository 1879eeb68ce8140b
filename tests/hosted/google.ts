import { readFileSync } from 'node:fs';
import { type BrowserContext, expect, type Page, type Route } from '@playwright/test';
import { test as silent } from '../browser/silent-test.ts';
import { PROJECT } from './project.ts';

const script = readFileSync(new URL('google-script.js', import.meta.url), 'utf8');
/** For requests from outside the browser. */
export const shopUrl = `http://localhost:${process.env.HOSTED_PORT}`;
const control = `http://127.0.0.1:${process.env.CONTROL_PORT}`;

/** Its hosts lead to the emulator; other outside addresses are blocked. */
export class Google {
  readonly asked: string[] = [];
  readonly #emulator: string;

  constructor(emulator: string) {
    this.#emulator = emulator;
  }

  async answer(route: Route): Promise<void> {
    const { href, host, pathname, search } = new URL(route.request().url());
    this.asked.push(href);
    if (host === 'apis.google.com') return route.fulfill({ contentType: 'text/javascript', body: script });
    if (/^(identitytoolkit|securetoken)\.googleapis\.com$/.test(host)) {
      return route.fulfill({
        response: await route.fetch({ url: this.#emulator + host + pathname + search }),
      });
    }
    return route.abort();
  }

  /** As the project's owner. */
  async ask(path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#emulator}${path}`, {
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, unknown>;
  }

  /** Undefined for none. */
  async findAccount(email: string): Promise<{ localId: string } | undefined> {
    const path = `identitytoolkit.googleapis.com/v1/projects/${PROJECT.projectId}/accounts:lookup`;
    const { users } = (await this.ask(path, { email: [email] })) as { users?: { localId: string }[] };
    return users?.[0];
  }

  /** That Firebase would mail. */
  async findLink(email: string, requestType: 'PASSWORD_RESET' | 'VERIFY_EMAIL'): Promise<string | undefined> {
    const { oobCodes } = (await this.ask(`emulator/v1/projects/${PROJECT.projectId}/oobCodes`)) as {
      oobCodes: { email: string; requestType: string; oobLink: string }[];
    };
    return oobCodes.findLast((code) => code.email === email && code.requestType === requestType)?.oobLink;
  }
}

export const askControl = async (path: string): Promise<Record<string, unknown>> =>
  (await fetch(control + path)).json() as Promise<Record<string, unknown>>;

/** Routes requests to Google to the emulator. */
export async function connectGoogle(context: BrowserContext): Promise<Google> {
  const { url } = await askControl('/emulator');
  const google = new Google(String(url));
  const isElsewhere = ({ protocol, host }: URL) => protocol === 'https:' && host !== PROJECT.authDomain;
  await context.route(isElsewhere, (route) => google.answer(route));
  return google;
}

export const test = silent.extend<{ google: Google }>({
  google: async ({ context }, use) => use(await connectGoogle(context)),
});

/** @returns the popup, with the emulator's choice of an account */
export async function openGoogle(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'CONTINUE WITH GOOGLE' }).click();
  const popup = await opened;
  await expect(popup.locator('.js-new-account')).toBeVisible();
  return popup;
}

export async function signInByGoogle(
  page: Page,
  { email, name }: { email: string; name: string },
): Promise<void> {
  const popup = await openGoogle(page);
  await popup.locator('.js-new-account').click();
  await popup.locator('#email-input').fill(email);
  await popup.locator('#display-name-input').fill(name);
  await popup.locator('#sign-in').click();
}
