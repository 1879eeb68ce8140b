import { partPath } from '@parts-forge/contract/part-rules';
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

/** Bytes of response bodies as they were sent, compressed, by what they are. */
export interface PageWeight {
  path: string;
  requests: number;
  bytes: Record<Kind, number>;
  /** Of scripts and style sheets that were not sent as brotli, which are counted above all the same. */
  bytesNotBrotli: number;
}

export interface WeightResult {
  chromium: string;
  pages: PageWeight[];
}

/** What the first visit of each public page loads in a browser whose memory is empty, until the network is quiet. */
export function measureWeight(): Promise<WeightResult> {
  return withBrowser((browser) =>
    besideDemoShop(async ({ port }) => {
      const weights: PageWeight[] = [];
      // Chromium takes brotli over plain HTTP from this machine alone.
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

/** The body as it went over the wire; the header says it too, and the two must agree. */
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
