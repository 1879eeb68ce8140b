import { describe, expect, test } from 'vitest';
import { refusals, requiredFields, takes, textsAround } from '../../test/schema.ts';
import {
  newProductSchema,
  productQuerySchema,
  productSchema,
  readProductFacets,
  restockSchema,
} from './products.ts';

const product = {
  name: 'Mainboard',
  description: 'Populated.',
  price: 142,
  quantity: 1000,
  minimumOrder: 50,
  image: '/images/x',
};

const refuse = (change: object) => refusals(newProductSchema, { ...product, ...change });

describe('a new product', () => {
  test('requires every field, with the messages of the specification', () => {
    const messages = {
      name: 'Name is Required',
      description: 'Description is Required',
      price: 'Price is Required',
      quantity: 'quantity is Required',
      minimumOrder: 'minimumOrder is Required',
      image: 'Image is Required',
    };
    expect(refusals(newProductSchema, {})).toEqual(messages);
    expect(refuse(Object.fromEntries(Object.keys(messages).map((name) => [name, null])))).toEqual(messages);
    const { name, description, image } = messages;
    expect(refuse({ name: ' ', description: '\n', image: '' })).toEqual({ name, description, image });
    const { price, quantity, minimumOrder } = messages;
    expect(refuse({ price: Number.NaN, quantity: Number.NaN, minimumOrder: Number.NaN })).toEqual({
      price,
      quantity,
      minimumOrder,
    });
  });

  test('keeps known fields and drops others', () => {
    expect(newProductSchema.parse({ ...product, _id: 'x', featured: true })).toEqual(product);
  });

  test.each([
    ['price', 0.99, 1, 'Must be at least 1'],
    ['quantity', 999, 1000, 'Must be at least 1000'],
    ['minimumOrder', 49, 50, 'Must be at least 50'],
  ])('refuses for %s the value %d and accepts %d', (field, below, least, message) => {
    expect(refuse({ [field]: below })).toEqual({ [field]: message });
    expect(refuse({ [field]: least })).toEqual({});
  });

  test.each([
    ['price', 100_000, 100_000.01, 'Must be no more than 100,000'],
    ['quantity', 100_000_000, 100_000_001, 'Must be no more than 100,000,000'],
    ['minimumOrder', 1_000_000, 1_000_001, 'Must be no more than 1,000,000'],
  ])('accepts for %s the value %d and refuses %d', (field, most, above, message) => {
    const stock = { quantity: 100_000_000 };
    expect(refuse({ ...stock, [field]: most })).toEqual({});
    expect(refuse({ ...stock, [field]: above })).toEqual({ [field]: message });
  });

  test('has a price of at most two decimals', () => {
    expect(refuse({ price: 19.99 })).toEqual({});
    expect(refuse({ price: 19.999 })).toEqual({ price: 'Must have no more than two decimals' });
  });

  test('has whole numbers as stock and minimum order', () => {
    expect(refuse({ quantity: 1000.5, minimumOrder: 50.5 })).toEqual({
      quantity: 'Must be a whole number',
      minimumOrder: 'Must be a whole number',
    });
  });

  test.each([
    ['name', 120],
    ['description', 2000],
    ['image', 2048],
  ])('accepts for %s at most %i characters', (field, max) => {
    const [, longest, tooLong] = textsAround(max);
    expect(refuse({ [field]: 'x' })).toEqual({});
    expect(refuse({ [field]: longest })).toEqual({});
    expect(refuse({ [field]: tooLong })).toEqual({ [field]: `Must be no more than ${max} characters` });
  });

  test('keeps line breaks in the description only', () => {
    expect(newProductSchema.parse({ ...product, name: 'a\nb', description: 'a\nb' })).toMatchObject({
      name: 'a b',
      description: 'a\nb',
    });
  });

  test('has a minimum order of at most the quantity', () => {
    expect(refuse({ minimumOrder: 1000 })).toEqual({});
    expect(refuse({ minimumOrder: 1001 })).toEqual({ minimumOrder: 'Must not be above the quantity' });
  });

  test('refuses wrong types without conversion', () => {
    expect(
      Object.keys(
        refuse({ name: 1, description: true, price: '142', quantity: '1000', minimumOrder: [50], image: 1 }),
      ),
    ).toEqual(['name', 'description', 'price', 'quantity', 'minimumOrder', 'image']);
  });
});

describe('a restock', () => {
  test.each([0, 1, 999, 100_000_000])('accepts %i pieces', (quantity) => {
    expect(restockSchema.parse({ quantity })).toEqual({ quantity });
  });

  test.each([
    [-1, 'Must be at least 0'],
    [100_000_001, 'Must be no more than 100,000,000'],
    [0.5, 'Must be a whole number'],
    ['5', 'quantity is Required'],
    [undefined, 'quantity is Required'],
  ])('refuses %o', (quantity, message) => {
    expect(refusals(restockSchema, { quantity })).toEqual({ quantity: message });
  });
});

describe('the list of products', () => {
  test('takes paging, search, filters and sort as query', () => {
    expect(
      productQuerySchema.parse({ limit: '3', after: 'x', q: 'oled', available: 'true', sort: '-price' }),
    ).toEqual({ limit: 3, after: 'x', q: 'oled', available: 'true', sort: '-price' });
    const further = { kind: 'Sound and haptics', fits: 'Norda 12', similar: 'true' };
    expect(productQuerySchema.parse(further)).toEqual(further);
    for (const query of [
      {},
      { available: 'false' },
      { sort: 'newest' },
      { sort: 'name' },
      { sort: 'price' },
    ]) {
      expect(takes(productQuerySchema, query)).toBe(true);
    }
  });

  test('refuses malformed parameters', () => {
    expect(
      refusals(productQuerySchema, {
        kind: 'Screens',
        available: 'yes',
        sort: 'cheapest',
        similar: '1',
        fits: 'x'.repeat(61),
      }),
    ).toEqual({
      kind: 'Must be one of Displays, Batteries, Charging, Cameras, Sound and haptics, Housing, Boards, Flexes and sensors, Fixings, Other',
      similar: 'Must be true or false',
      fits: 'Must be no more than 60 characters',
      available: 'Must be true or false',
      sort: 'Must be one of match, newest, name, price, -price',
    });
  });
});

test('facets depend on stock only when filtered by availability', () => {
  expect(readProductFacets.dependsOn?.(undefined as never, { available: 'true' })).toEqual(['products']);
  for (const query of [{}, { available: 'false' }] as const) {
    expect(readProductFacets.dependsOn?.(undefined as never, query)).toEqual(['catalogue']);
  }
});

test('a product has the fields of the specification', () => {
  const fields = ['_id', 'name', 'description', 'price', 'quantity', 'minimumOrder', 'image'];
  expect(requiredFields(productSchema)).toEqual(expect.arrayContaining(fields));
});
