import { listProducts, type ProductFacets, readProductFacets } from '@parts-forge/contract/products/products';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aProduct } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const facets: ProductFacets = {
  kinds: [
    { kind: 'Displays', count: 3 },
    { kind: 'Batteries', count: 1200 },
  ],
  fits: [
    { model: 'Norda 12', count: 9 },
    { model: 'Norda 12 Pro', count: 7 },
    { model: 'Vela 9', count: 4 },
  ],
};
beforeEach(() => {
  shop.answerPage(listProducts, [aProduct()], '1');
  shop.answer(readProductFacets, facets);
});

const kinds = () => screen.findByRole('navigation', { name: 'Kinds of parts' });
const fits = () => screen.getByRole('combobox', { name: 'Fits phone model' });
const options = () => {
  const list = screen.queryByRole('listbox', { name: 'Phone models' });
  return list
    ? within(list)
        .queryAllByRole('option')
        .map(({ textContent }) => textContent)
    : [];
};

test('the kinds are links with counts, and the chosen one is marked', async () => {
  const page = await openPage('/all-products?q=pack');
  const links = within(await kinds()).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(['All1,203', 'Displays3', 'Batteries1,200']);
  expect(links[0]).toHaveAttribute('aria-current', 'true');
  await page.user.click(links[1] as HTMLElement);
  await waitFor(() => expect(page.getAddress()).toBe('/all-products?q=pack&kind=Displays'));
  expect(within(await kinds()).getByRole('link', { name: /Displays/ })).toHaveAttribute(
    'aria-current',
    'true',
  );
  expect(shop.getRequests(readProductFacets).at(-1)?.query.toString()).toBe('q=pack&kind=Displays');
});

test('a chosen kind without a part stays, with 0', async () => {
  await openPage('/all-products?kind=Boards');
  const link = within(await kinds()).getByRole('link', { name: /Boards/ });
  expect(link).toHaveTextContent('Boards0');
  expect(link).toHaveAttribute('aria-current', 'true');
});

test('the list is shown even if the counts fail', async () => {
  shop.refuse(readProductFacets, 'overloaded');
  await openPage('/all-products');
  expect(await screen.findByRole('link', { name: /^Order Now/ })).toBeVisible();
  expect(screen.queryByRole('navigation', { name: 'Kinds of parts' })).not.toBeInTheDocument();
});

test('the keyboard chooses a phone model and clears it', async () => {
  const page = await openPage('/all-products');
  await kinds();
  await page.user.click(fits());
  expect(fits()).toHaveAttribute('aria-expanded', 'true');
  expect(options()).toEqual(['Norda 129', 'Norda 12 Pro7', 'Vela 94']);
  await page.user.type(fits(), 'nor');
  expect(options()).toEqual(['Norda 129', 'Norda 12 Pro7']);
  await page.user.keyboard('{ArrowDown}{ArrowDown}');
  const active = within(screen.getByRole('listbox', { name: 'Phone models' })).getByRole('option', {
    selected: true,
  });
  expect(fits()).toHaveAttribute('aria-activedescendant', active.id);
  await page.user.keyboard('{Enter}');
  await waitFor(() => expect(page.getAddress()).toBe('/all-products?fits=Norda+12+Pro'));
  expect(fits()).toHaveValue('Norda 12 Pro');
  expect(options()).toEqual([]);
  await page.user.click(screen.getByRole('button', { name: 'Clear fits phone model' }));
  await waitFor(() => expect(page.getAddress()).toBe('/all-products'));
});

test('Escape restores the choice, and an emptied field means every model', async () => {
  const page = await openPage('/all-products?fits=Vela+9');
  await kinds();
  await page.user.clear(fits());
  await page.user.type(fits(), 'zzz');
  expect(screen.getByText('Nothing like this')).toBeVisible();
  await page.user.keyboard('{Escape}');
  expect(fits()).toHaveValue('Vela 9');
  expect(page.getAddress()).toBe('/all-products?fits=Vela+9');
  await page.user.clear(fits());
  await page.user.tab();
  await waitFor(() => expect(page.getAddress()).toBe('/all-products'));
});

test('leaving the field takes the model only if one is left', async () => {
  const page = await openPage('/all-products');
  await kinds();
  await page.user.type(fits(), 'norda');
  await page.user.tab();
  expect(fits()).toHaveValue('');
  await page.user.type(fits(), 'vela');
  await page.user.tab();
  await waitFor(() => expect(page.getAddress()).toBe('/all-products?fits=Vela+9'));
});

test('on phones one button counts the active filters and opens a sheet', async () => {
  const page = await openPage('/all-products?kind=Displays&available=true');
  await kinds();
  const button = screen.getByRole('button', { name: /^Filter/ });
  expect(button).toHaveTextContent('Filter2 set');
  await page.user.click(button);
  const sheet = within(await screen.findByRole('dialog', { name: 'Filter' }));
  expect(sheet.getByRole('radio', { name: /Displays/ })).toBeChecked();
  await page.user.click(sheet.getByRole('radio', { name: /Batteries/ }));
  await waitFor(() => expect(page.getAddress()).toBe('/all-products?kind=Batteries&available=true'));
  await page.user.click(sheet.getByRole('combobox', { name: 'Fits' }));
  await page.user.click(sheet.getByRole('option', { name: /Vela 9/ }));
  await waitFor(() =>
    expect(page.getAddress()).toBe('/all-products?kind=Batteries&fits=Vela+9&available=true'),
  );
  await page.user.click(sheet.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(page.getAddress()).toBe('/all-products'));
  await page.user.click(await sheet.findByRole('button', { name: 'Show 1 part' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
