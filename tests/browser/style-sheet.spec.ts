import { expectEveryClassStyled } from './class-rules.ts';
import { test } from './silent-test.ts';

test.use({ javaScriptEnabled: false });

// Before hydration; after it: `pages.spec.ts`.
test('every class of a served public page has a rule', async ({ page, request }) => {
  const [part] = await (await request.get('/product?limit=1')).json();
  for (const path of [
    '/',
    '/blogs',
    '/portfolio',
    '/all-products',
    '/all-products?q=nothing-has-this-name',
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password?token=none',
    '/verify-email?token=none',
    '/nowhere',
    `/products/${part._id}`,
  ]) {
    await page.goto(path);
    await expectEveryClassStyled(page);
  }
});
