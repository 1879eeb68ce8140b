import { readBatch } from '@parts-forge/contract/orders/batch';
import {
  type AgreedPrice,
  listAgreedPrices,
  removeAgreedPrice,
  setAgreedPrice,
} from '@parts-forge/contract/prices/agreed-prices';
import {
  answerQuote,
  askForPrices,
  declineQuote,
  listQuotes,
  type Quote,
  withdrawQuote,
} from '@parts-forge/contract/prices/quotes';
import { listImports } from '@parts-forge/contract/products/catalogue';
import { listProducts, type Product } from '@parts-forge/contract/products/products';
import { onlineManager } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { aBatchLine, aProduct, aUser } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { openRowMenu } from '#test/row-menu.ts';

const shop = startFakeShop();
const amara = aUser();
const dialog = () => within(screen.getByRole('dialog'));

beforeEach(() => shop.answerPage(listAgreedPrices, { data: [] }, '0'));

function aQuote(wanted: Partial<Quote> = {}, parts: Product[] = [aProduct()]): Quote {
  return {
    _id: 'quote',
    number: 118,
    state: 'asked',
    customer: amara,
    lines: parts.map((product) => ({ product, quantity: 50, wished: 60, prices: [] })),
    note: 'Weekly from January.',
    askedAt: '2026-11-28T09:12:00.000Z',
    ...wanted,
  };
}

const anAgreedPrice = (wanted: Partial<AgreedPrice> = {}): AgreedPrice => ({
  _id: 'price',
  customer: amara,
  product: aProduct({ number: 'PF-D6101' }),
  fromQuantity: 50,
  price: 57.9,
  until: '2027-06-30',
  createdAt: '2026-11-28T09:12:00.000Z',
  ...wanted,
});

async function openBatch(count: number) {
  shop.signIn();
  const data = Array.from({ length: count }, (_, index) =>
    aBatchLine({ product: aProduct({ name: `Part ${index}`, price: 10 + index }) }),
  );
  shop.answer(readBatch, { data });
  const page = await openPage('/dashboard/batch');
  const [button] = await screen.findAllByRole('button', { name: 'Ask for a price' });
  await page.user.click(button as HTMLElement);
  return page;
}

test('prices are asked for from the dearest line on, with some wishes', async () => {
  const { user } = await openBatch(8);
  expect(screen.getByRole('heading', { name: 'Ask for a price' })).toHaveFocus();
  expect(dialog().getAllByRole('rowheader')[0]).toHaveTextContent('Part 7');
  expect(dialog().getAllByRole('rowheader')).toHaveLength(6);
  await user.type(dialog().getByLabelText('Price you wish for Part 7'), '12,5o');
  // At the foot, too: the dialog may open again without the line.
  expect(dialog().getByText(/^PF-\d+: .*is not a price/)).toBeVisible();
  expect(dialog().getByRole('button', { name: 'Ask for 8 prices' })).toBeDisabled();
  await user.type(dialog().getByLabelText('Price you wish for Part 7'), '{Backspace}0');
  expect(
    dialog()
      .getByText(/without a wish/)
      .closest('p'),
  ).toHaveTextContent('2 more lines without a wish');
  await user.click(dialog().getByRole('button', { name: '2 more lines' }));
  expect(dialog().getAllByRole('rowheader')).toHaveLength(8);
  expect(dialog().getAllByRole('row')[7]).toHaveFocus();
  expect(dialog().getByText('8 lines, 1 with a wish')).toBeVisible();
  const others = dialog().getByLabelText('Ask only for lines with a wish');
  await user.click(others);
  expect(dialog().getByText('1 line, 1 with a wish')).toBeVisible();
  expect(dialog().getByRole('button', { name: 'Ask for 1 price' })).toBeEnabled();
  await user.click(others);
  shop.answer(askForPrices, { data: aQuote() });
  shop.answerPage(listQuotes, { data: [aQuote()] }, '1');
  await user.click(dialog().getByRole('button', { name: 'Ask for 8 prices' }));
  expect(await screen.findByText('Asked for 8 prices')).toBeVisible();
  expect(await screen.findByText(/^Asked 28 Nov 2026, \d\d:\d\d: 1 price\.$/)).toBeVisible();
  const { lines = [] } = shop.getSentBody(askForPrices) ?? {};
  expect(lines.map((line) => line.wished)).toEqual([12.5, ...Array(7).fill(undefined)]);
  shop.answer(withdrawQuote, { data: aQuote({ state: 'withdrawn' }) });
  shop.answerPage(listQuotes, { data: [] }, '0');
  await user.click(screen.getByRole('button', { name: 'Withdraw Q-118' }));
  await waitFor(() => expect(screen.queryByText(/^Asked 28/)).not.toBeInTheDocument());
});

async function openAskedBatch() {
  shop.signIn();
  shop.answer(readBatch, { data: [aBatchLine()] });
  shop.answerPage(listQuotes, { data: [aQuote()] }, '1');
  const page = await openPage('/dashboard/batch');
  const withdraw = await screen.findByRole('button', { name: 'Withdraw Q-118' });
  shop.answerPage(listQuotes, { data: [] }, '0');
  return { ...page, withdraw };
}

test('an answered request leaves the batch once its window has focus', async () => {
  await openAskedBatch();
  window.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(screen.queryByText(/^Asked 28/)).not.toBeInTheDocument());
});

test('a refused Withdraw stays in view when its request is gone', async () => {
  const { user, withdraw } = await openAskedBatch();
  shop.refuse(withdrawQuote, 'quote-ended');
  await user.click(withdraw);
  expect(await screen.findByRole('alert')).toHaveTextContent('This request for prices has ended');
  expect(screen.queryByText(/^Asked 28/)).not.toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Messages' })).toHaveTextContent('');
});

test('Escape keeps wishes and note', async () => {
  const { user } = await openBatch(1);
  await user.type(dialog().getByLabelText('Price you wish for Part 0'), '9');
  await user.type(dialog().getByLabelText('Note'), 'Weekly');
  await user.click(dialog().getByRole('button', { name: 'Cancel' }));
  const [button] = screen.getAllByRole('button', { name: 'Ask for a price' });
  await user.click(button as HTMLElement);
  expect(dialog().getByLabelText('Price you wish for Part 0')).toHaveValue('9');
  expect(dialog().getByLabelText('Note')).toHaveValue('Weekly');
});

test('a line with an answered price says until when', async () => {
  shop.signIn();
  const ownPrices = [{ fromQuantity: 50, price: 57.9, until: '2027-06-30' }];
  shop.answer(readBatch, { data: [aBatchLine({ ownPrices })] });
  await openPage('/dashboard/batch');
  expect(await screen.findByText('Your price until 30 Jun 2027.')).toBeVisible();
  expect(screen.getByText('$57.90').previousSibling).toHaveTextContent('now');
  expect(screen.getByText('$64.50', { selector: 's' })).toBeVisible();
});

async function openQuote(...parts: Product[]) {
  shop.signIn('admin');
  shop.answerPage(listQuotes, { data: [aQuote({}, parts)] }, '1');
  const page = await openPage('/dashboard/prices');
  await page.user.click(await screen.findByRole('button', { name: 'Answer Q-118 of Amara Okafor' }));
  return page;
}
const price = (name: string) => screen.getByLabelText(`Your price for ${name}`);

test('a part no longer sold gets no price in an answer', async () => {
  const gone = { ...aProduct({ name: 'Gone' }), gone: true };
  const { user } = await openQuote(aProduct({ name: 'Sold', price: 10 }), gone);
  expect(screen.queryByLabelText('Your price for Gone')).not.toBeInTheDocument();
  expect(screen.getByRole('row', { name: /Gone/ })).toHaveTextContent('No longer sold');
  await user.click(screen.getByRole('button', { name: 'Take the wish' }));
  expect(screen.getByText(/^The line/).closest('p')).toHaveTextContent('The line: $500.00');
});

test('wishes and a percent fill prices, and their sum is shown', async () => {
  const { user } = await openQuote(aProduct({ name: 'A' }), aProduct({ name: 'B', price: 100 }));
  await user.click(screen.getByRole('button', { name: 'Take the 2 wishes' }));
  expect(price('A')).toHaveValue('60.00');
  await user.click(screen.getByRole('button', { name: 'Less by percent …' }));
  await user.type(dialog().getByLabelText('Percent'), '5');
  await user.click(dialog().getByRole('button', { name: 'Fill in all prices' }));
  expect(price('A')).toHaveValue('61.28');
  await user.clear(price('B'));
  expect(screen.getByText(/^All 2 lines/).closest('p')).toHaveTextContent(
    'All 2 lines: $8,064.00, $161.00 or 2.0 % less than the list',
  );
  await user.clear(price('A'));
  await user.type(price('A'), '65');
  expect(screen.getByText('Above the list: the list’s price counts')).toBeVisible();
  await user.clear(price('A'));
  await user.type(price('A'), '6,2');
  await user.click(screen.getByRole('button', { name: 'Answer 1 price' }));
  expect(shop.getRequests(answerQuote)).toEqual([]);
  expect(dialog().getByText(/\$64\.50 → \$6\.20$/)).toBeVisible();
  shop.answer(answerQuote, { data: aQuote({ state: 'answered' }) });
  shop.answerPage(listQuotes, { data: [] }, '0');
  await user.click(dialog().getByRole('button', { name: 'This price is right' }));
  expect(await screen.findByText('Nobody waits for a price')).toBeVisible();
  expect(shop.getSentBody(answerQuote)).toMatchObject({ lines: [{ fromQuantity: 50, price: 6.2 }] });
});

test('a refused price of a line that is not shown is named', async () => {
  const cheap = aProduct({ number: 'PF-CHEAP', price: 1.2 });
  const { user } = await openQuote(...Array.from({ length: 6 }, () => aProduct()), cheap);
  await user.click(screen.getByRole('button', { name: 'Less by percent …' }));
  await user.type(dialog().getByLabelText('Percent'), '30');
  await user.click(dialog().getByRole('button', { name: 'Fill in all prices' }));
  expect(screen.getByText('PF-CHEAP: Must be at least 1')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Answer 6 prices' })).toBeDisabled();
  await user.type(screen.getAllByLabelText(/^Your price for/)[0] as HTMLElement, 'x');
  expect(screen.queryByText('list price')).not.toBeInTheDocument();
});

test('an answer to a withdrawn request says that it has ended', async () => {
  const { user } = await openQuote(aProduct({ name: 'A' }));
  await user.click(screen.getByRole('button', { name: 'Take the wish' }));
  shop.refuse(answerQuote, 'quote-ended');
  shop.answerPage(listQuotes, { data: [] }, '0');
  await user.click(screen.getByRole('button', { name: 'Answer 1 price' }));
  expect(await screen.findByText('Nobody waits for a price')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('Q-118: This request for prices has ended');
});

test('a closed request keeps its prices, the next one gets focus', async () => {
  shop.signIn('admin');
  const other = aQuote({ _id: 'other', number: 117 });
  shop.answerPage(listQuotes, { data: [aQuote({}, [aProduct({ name: 'A' })]), other] }, '2');
  const { user } = await openPage('/dashboard/prices');
  await user.click(await screen.findByRole('button', { name: 'Answer Q-118 of Amara Okafor' }));
  const fold = screen.getByRole('button', { name: 'Lines of Q-118' });
  expect(fold).toHaveFocus();
  await user.type(price('A'), '57');
  await user.type(screen.getByLabelText('Note to the customer'), 'For a year');
  await user.click(fold);
  await user.click(fold);
  expect(price('A')).toHaveValue('57');
  expect(screen.getByLabelText('Note to the customer')).toHaveValue('For a year');
  shop.answer(answerQuote, { data: aQuote({ state: 'answered' }) });
  shop.answerPage(listQuotes, { data: [other] }, '1');
  await user.click(screen.getByRole('button', { name: 'Answer 1 price' }));
  expect(await screen.findByText('Q-118 is answered')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Lines of Q-117' })).toHaveFocus();
});

test('a search without a request says so, though others wait', async () => {
  shop.signIn('admin');
  shop.answerPage(listQuotes, { data: [] }, '0');
  await openPage('/dashboard/prices?q=Q-999');
  expect(await screen.findByText('No request matches')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Show all requests' })).toBeVisible();
});

test('the menu counts the requests that wait for an answer', async () => {
  const { user } = await openQuote(aProduct());
  expect(await screen.findByRole('link', { name: 'Prices 1 to answer' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Take the wish' }));
  shop.answer(answerQuote, { data: aQuote({ state: 'answered' }) });
  shop.answerPage(listQuotes, { data: [] }, '0');
  await user.click(screen.getByRole('button', { name: 'Answer 1 price' }));
  expect(await screen.findByRole('link', { name: 'Prices' })).toBeVisible();
  shop.answerPage(listQuotes, { data: [aQuote(), aQuote()] }, '2');
  shop.answer(listImports, { data: [] });
  await user.click(screen.getByRole('link', { name: 'Catalogue by File' }));
  expect(await screen.findByRole('link', { name: 'Prices 2 to answer' })).toBeVisible();
});

test('an answer waits for the one before it, whose success is said', async () => {
  shop.signIn('admin');
  const quotes = [aQuote(), aQuote({ _id: 'other', number: 117 })];
  shop.answerPage(listQuotes, { data: quotes }, '2');
  const { user } = await openPage('/dashboard/prices');
  for (const name of ['Lines of Q-118', 'Lines of Q-117'])
    await user.click(await screen.findByRole('button', { name }));
  for (const wish of screen.getAllByRole('button', { name: 'Take the wish' })) await user.click(wish);
  const [first, second] = screen.getAllByRole('button', { name: 'Answer 1 price' }) as [
    HTMLElement,
    HTMLElement,
  ];
  shop.answer(answerQuote, { data: aQuote({ state: 'answered' }) });
  const release = shop.hold(answerQuote);
  await user.click(first);
  expect(second).toBeDisabled();
  release();
  expect(await screen.findByText('Q-118 is answered')).toBeVisible();
  expect(second).toBeEnabled();
});

test('another tab keeps typed prices, and offline shows no other rows', async () => {
  const { user } = await openQuote(aProduct());
  const price = () => screen.findByLabelText(/^Your price for/);
  await user.type(await price(), '55');
  await user.click(screen.getByRole('link', { name: /^Agreed prices/ }));
  await screen.findByText('No agreed prices');
  await user.click(screen.getByRole('link', { name: /^Asked for a price/ }));
  await user.click(await screen.findByRole('button', { name: 'Lines of Q-118' }));
  expect(await price()).toHaveValue('55');
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  await user.click(screen.getByRole('link', { name: /^Answered/ }));
  await waitFor(() => expect(screen.queryByText('Q-118')).not.toBeInTheDocument());
});

test('requests of one customer have names of their own', async () => {
  shop.signIn('admin');
  const quotes = [aQuote(), aQuote({ _id: 'other', number: 117 })];
  shop.answerPage(listQuotes, { data: quotes }, '2');
  shop.answerPage(listAgreedPrices, { data: [] }, '1000+');
  await openPage('/dashboard/prices');
  expect(await screen.findAllByText('at least 1,000')).toHaveLength(2);
  await screen.findByRole('button', { name: 'Answer Q-118 of Amara Okafor' });
  const buttons = within(screen.getByRole('table')).getAllByRole('button');
  const names = buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent);
  expect(names).toHaveLength(6);
  expect(new Set(names).size).toBe(6);
});

test("a row's menu declines with the typed note, and a refusal stays", async () => {
  const { user } = await openQuote(aProduct());
  await user.type(screen.getByLabelText('Note to the customer'), 'Sorry');
  await user.click(screen.getByRole('button', { name: 'Lines of Q-118' }));
  await openRowMenu(user, /^More for Q-118 of Amara/);
  expectLink('Agreed prices', '/dashboard/prices?show=agreed&q=amara%40repair.example');
  await user.click(screen.getByRole('button', { name: 'Decline' }));
  shop.refuse(declineQuote, 'quote-ended');
  await user.click(dialog().getByRole('button', { name: 'Decline' }));
  expect(await dialog().findByText(/This request for prices has ended/)).toBeVisible();
  expect(shop.getSentBody(declineQuote)).toEqual({ note: 'Sorry' });
});

test('a request is declined after a question', async () => {
  const { user } = await openQuote(aProduct());
  await user.type(screen.getByLabelText('Note to the customer'), 'Sorry');
  await user.click(screen.getByRole('button', { name: 'Decline' }));
  shop.answer(declineQuote, { data: aQuote({ state: 'declined' }) });
  shop.answerPage(listQuotes, { data: [] }, '0');
  await user.click(dialog().getByRole('button', { name: 'Decline' }));
  expect(await screen.findByText('Nobody waits for a price')).toBeVisible();
  expect(shop.getSentBody(declineQuote)).toEqual({ note: 'Sorry' });
});

test('an agreed price is set by the part number and removed', async () => {
  shop.signIn('admin');
  shop.answerPage(listAgreedPrices, { data: [anAgreedPrice()] }, '1');
  const { user } = await openPage('/dashboard/prices?show=agreed');
  expect(await screen.findByRole('row', { name: /PF-D6101.*\$57\.90/ })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Agree on a price' }));
  const errors = ['customer', 'productId', 'price'].map((path) => ({ path, message: `${path} is Required` }));
  shop.refuse(setAgreedPrice, 'invalid', { errors });
  await user.click(dialog().getByRole('button', { name: 'Save price' }));
  expect(await dialog().findByText('customer is Required')).toBeVisible();
  expect(dialog().getByText('Part number is Required')).toBeVisible();
  expect(dialog().getByText('price is Required')).toBeVisible();
  expect(shop.getRequests(listProducts)).toEqual([]);
  await user.type(dialog().getByLabelText('Customer’s email'), amara.email);
  await user.type(dialog().getByLabelText('Part number'), 'pf-d6101');
  await user.type(dialog().getByLabelText('From quantity'), '1,000');
  await user.type(dialog().getByLabelText('Price'), '55.5');
  shop.answerPage(listProducts, [], '0');
  await user.click(dialog().getByRole('button', { name: 'Save price' }));
  expect(await dialog().findByText('No part has this number')).toBeVisible();
  expect(shop.getRequests(setAgreedPrice)).toHaveLength(2);
  const tooLong = 'Must be 60 characters or shorter';
  shop.refuse(listProducts, 'invalid', { errors: [{ path: 'number', message: tooLong }] });
  await user.click(dialog().getByRole('button', { name: 'Save price' }));
  expect(await dialog().findByText(tooLong)).toBeVisible();
  const part = aProduct({ number: 'PF-D6101' });
  shop.answerPage(listProducts, [part], '1');
  shop.answer(setAgreedPrice, { data: anAgreedPrice() });
  await user.click(await dialog().findByRole('button', { name: 'Save price' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: /^Remove the price of/ }));
  expect(shop.getRequests(listProducts).at(-1)?.query.get('number')).toBe('pf-d6101');
  expect(shop.getRequests(setAgreedPrice)[2]?.body).toEqual({
    customer: amara.email,
    productId: part._id,
    fromQuantity: 1000,
    price: 55.5,
  });
  shop.answer(removeAgreedPrice, { deletedCount: 1 });
  shop.answerPage(listAgreedPrices, { data: [] }, '0');
  await user.click(dialog().getByRole('button', { name: 'Remove price' }));
  expect(await screen.findByText('No agreed prices')).toBeVisible();
});

test('an agreed price below half of the list is asked about first', async () => {
  shop.signIn('admin');
  const { user } = await openPage('/dashboard/prices?show=agreed');
  await user.click(await screen.findByRole('button', { name: 'Agree on a price' }));
  await user.type(dialog().getByLabelText('Part number'), 'PF-D6101');
  await user.type(dialog().getByLabelText('From quantity'), '50');
  await user.type(dialog().getByLabelText('Price'), '5.79');
  shop.answerPage(listProducts, [aProduct({ number: 'PF-D6101' })], '1');
  shop.answer(setAgreedPrice, { data: anAgreedPrice() });
  await user.click(dialog().getByRole('button', { name: 'Save price' }));
  expect(await screen.findByText('PF-D6101: $64.50 → $5.79')).toBeVisible();
  const [, question] = screen.getAllByRole('dialog');
  fireEvent(question as HTMLElement, new Event('cancel', { cancelable: true }));
  await user.click(dialog().getByRole('button', { name: 'Save price' }));
  expect(shop.getRequests(setAgreedPrice)).toEqual([]);
  await user.click(await screen.findByRole('button', { name: 'This price is right' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(shop.getSentBody(setAgreedPrice)).toMatchObject({ price: 5.79 });
});

test('a price with a half-typed end is not saved', async () => {
  shop.signIn('admin');
  const { user } = await openPage('/dashboard/prices?show=agreed');
  await user.click(await screen.findByRole('button', { name: 'Agree on a price' }));
  const until = dialog().getByLabelText('Valid until');
  Object.defineProperty(until, 'validity', { value: { badInput: true } });
  await user.type(dialog().getByLabelText('Part number'), 'PF-D6101');
  shop.answerPage(listProducts, [aProduct({ number: 'PF-D6101' })], '1');
  shop.answer(setAgreedPrice, { data: anAgreedPrice() });
  await user.click(dialog().getByRole('button', { name: 'Save price' }));
  expect(shop.getRequests(listProducts)).toEqual([]);
});

test('My prices has the agreed prices, then the requests with their answers', async () => {
  shop.signIn();
  const prices = [anAgreedPrice(), anAgreedPrice({ _id: 'above', price: 70 })];
  shop.answerPage(listAgreedPrices, { data: prices }, '2');
  const quote = aQuote({ state: 'answered', until: '2027-06-30' });
  for (const line of quote.lines) line.prices.push({ fromQuantity: 50, price: 58.05 });
  const asked = aQuote({ _id: 'asked', number: 119 });
  shop.answerPage(listQuotes, { data: [asked, quote] }, '2');
  const { user } = await openPage('/dashboard/my-prices');
  expect(await screen.findByRole('row', { name: /PF-D6101.*\$57\.90.*30 Jun 2027/ })).toBeVisible();
  expect(screen.getByText('list $64.50 counts').parentElement).toHaveTextContent('$70.00');
  await user.click(await screen.findByRole('button', { name: 'Lines of Q-118' }));
  expect(screen.getByText('$58.05')).toBeVisible();
  expect(screen.getByText('10.0 %')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Lines of Q-119' }));
  expect(screen.queryByText('list price')).not.toBeInTheDocument();
});

const signInUntaxed = () => shop.signIn('user', aUser({ untaxed: { tax: 'exempt', reason: 'a charity' } }));

test('a customer without tax sees both prices without it', async () => {
  signInUntaxed();
  shop.answerPage(listAgreedPrices, { data: [anAgreedPrice({ netPrice: 48.25 })] }, '1');
  const quote = aQuote({ state: 'answered', until: '2027-06-30' });
  for (const line of quote.lines) line.prices.push({ fromQuantity: 50, price: 58.02, netPrice: 48.35 });
  shop.answerPage(listQuotes, { data: [quote] }, '1');
  const { user } = await openPage('/dashboard/my-prices', { taxPercent: 20 });
  expect(await screen.findByText('list $53.75')).toBeVisible();
  expect(screen.getByText('$48.25')).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Lines of Q-118' }));
  expect(screen.getByText('$48.35')).toBeVisible();
  expect(screen.queryByText('$58.02')).not.toBeInTheDocument();
});

test('a customer without tax sees a batch without it, and wishes so', async () => {
  signInUntaxed();
  shop.answer(readBatch, { data: [aBatchLine()] });
  const { user } = await openPage('/dashboard/batch', { taxPercent: 20 });
  expect(await screen.findByText('$53.75')).toBeVisible();
  await user.click(screen.getAllByRole('button', { name: 'Ask for a price' })[0] as HTMLElement);
  await user.type(dialog().getByLabelText(/^Price you wish/), '50');
  shop.answer(askForPrices, { data: aQuote() });
  shop.answerPage(listQuotes, { data: [aQuote()] }, '1');
  await user.click(dialog().getByRole('button', { name: 'Ask for 1 price' }));
  expect(await screen.findByText('Asked for 1 price')).toBeVisible();
  expect(shop.getSentBody(askForPrices)?.lines).toMatchObject([{ wished: 60 }]);
});
