import { partPath } from '@parts-forge/contract/products/part-rules';
import type { Browser, Response } from '@playwright/test';
import { withBrowser } from './browser.ts';
import { findProduct } from './find-product.ts';
import { besideDemoShop } from './shop-process.ts';

const pages = [
  { path: '/', status: 200 },
  { path: '/all-products', status: 200 },
  { path: '/blogs', status: 200 },
  { path: '/portfolio', status: 200 },
  { path: '/login', status: 200 },
  { path: '/register', status: 200 },
  { path: '/no-such-page', status: 404 },
] as const;

const kinds = ['script', 'style', 'page', 'font', 'image', 'other'] as const;
type Kind = (typeof kinds)[number];

/** Compressed bytes of responses, by kind. */
export interface PageWeight {
  path: string;
  requests: number;
  bytes: Record<Kind, number>;
  /** Scripts and style sheets without brotli, also counted above. */
  bytesNotBrotli: number;
}

export interface WeightResult {
  chromium: string;
  pages: PageWeight[];
}

/** First visit of each public page with an empty cache, until the network is idle. */
export function measureWeight(): Promise<WeightResult> {
  return withBrowser((browser) =>
    besideDemoShop(async ({ port }) => {
      const weights: PageWeight[] = [];
      // Chromium accepts brotli over plain HTTP only from localhost.
      const origin = `http://localhost:${port}`;
      for (const page of pages) weights.push(await measurePage(browser, origin, page));
      const part = { path: partPath(await findProduct(port)), status: 200 };
      weights.push({ ...(await measurePage(browser, origin, part)), path: '/products/{id}/{slug}' });
      return { chromium: browser.version(), pages: weights };
    }),
  );
}

async function measurePage(
  browser: Browser,
  origin: string,
  { path, status }: { path: string; status: number },
): Promise<PageWeight> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    // The stream of a part's stock never ends; 204 tells the page that there is none (`GET /live`).
    await page.route('**/live?*', (route) => route.fulfill({ status: 204 }));
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    const answer = await page.goto(origin + path, { waitUntil: 'networkidle' });
    if (answer?.status() !== status) {
      throw new Error(`${path} was answered with ${answer?.status()} instead of ${status}.`);
    }
    return await sum(path, responses);
  } finally {
    await context.close();
  }
}

async function sum(path: string, responses: readonly Response[]): Promise<PageWeight> {
  const bytes: Record<Kind, number> = { script: 0, style: 0, page: 0, font: 0, image: 0, other: 0 };
  let bytesNotBrotli = 0;
  for (const response of responses) {
    const headers = await response.allHeaders();
    const kind = classifyContent(headers['content-type'] ?? '');
    const sent = await sentBytes(response, headers);
    bytes[kind] += sent;
    const isCode = kind === 'script' || kind === 'style';
    if (isCode && headers['content-encoding'] !== 'br') bytesNotBrotli += sent;
  }
  return { path, requests: responses.length, bytes, bytesNotBrotli };
}

/** Compressed body size; must agree with the header. */
async function sentBytes(response: Response, headers: Record<string, string>): Promise<number> {
  const { responseBodySize } = await response.request().sizes();
  const announced = headers['content-length'];
  if (announced !== undefined && Number(announced) !== responseBodySize) {
    throw new Error(`${response.url()} sent ${responseBodySize} bytes and announced ${announced}.`);
  }
  return responseBodySize;
}

function classifyContent(contentType: string): Kind {
  if (/javascript/.test(contentType)) return 'script';
  if (/^text\/css/.test(contentType)) return 'style';
  if (/^text\/html/.test(contentType)) return 'page';
  if (/font/.test(contentType)) return 'font';
  return /^image\//.test(contentType) ? 'image' : 'other';
}
