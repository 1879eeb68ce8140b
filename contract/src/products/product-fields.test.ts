import { describe, expect, test } from 'vitest';
import { refusals, textsAround } from '../../test/schema.ts';
import { isPartNumber } from './part-rules.ts';
import { newProductSchema } from './products.ts';

const product = {
  name: 'Mainboard',
  description: 'Populated.',
  price: 142,
  quantity: 1000,
  minimumOrder: 100,
  image: '/images/x',
};
const refuse = (change: object) => refusals(newProductSchema, { ...product, ...change });

describe('the optional fields of a part', () => {
  test('stay as sent, without defaults for absent ones', () => {
    const facts = {
      number: 'PF-W15',
      kind: 'Boards',
      fits: ['Norda 12', 'Norda 12 Pro'],
      attributes: [{ name: 'Layers', value: '12' }],
      images: ['/images/x', '/images/y'],
      orderStep: 25,
      priceBreaks: [
        { quantity: 250, price: 130 },
        { quantity: 500, price: 120.5 },
      ],
    };
    expect(newProductSchema.parse({ ...product, ...facts })).toEqual({ ...product, ...facts });
    expect(newProductSchema.parse(product)).toEqual(product);
  });

  test.each([
    'AB',
    'abc',
    'A'.repeat(65),
    'ab',
    'a'.repeat(65),
    'A  B1',
    ' AB1',
    'AB1 ',
    '_AB1',
    '.AB1',
    '/AB1',
    '+AB1',
    'AB\t1',
    'AB,1',
    'AB;1',
    'AB"1',
    'AB(1)',
    'AB–1',
    'АВС-1',
  ])('%j is no part number', (number) => {
    expect(refuse({ number })).toEqual({
      number:
        'Must be 3 to 64 of A to Z, 0 to 9, single spaces and - _ . + /, the first a letter, digit or hyphen',
    });
  });

  test.each([
    'A-1',
    'A'.repeat(64),
    'PF_15',
    'PF W15',
    'GH82-25461A/B',
    '661.21988',
    'S21+ 5G',
    'A_B.C+D/E F-1',
    '---',
    '-100',
  ])('%j is a part number', (number) => {
    expect(refuse({ number })).toEqual({});
    expect(isPartNumber(number)).toBe(true);
  });

  test('accept only known kinds', () => {
    expect(refuse({ kind: 'Screens' })).toEqual({
      kind: 'Must be one of Displays, Batteries, Charging, Cameras, Sound and haptics, Housing, Boards, Flexes and sensors, Fixings, Other',
    });
  });

  test.each([
    ['number', 'Must be a text'],
    ['fits', 'Must be a list of phone models'],
    ['attributes', 'Must be a list of names and values'],
    ['images', 'Must be a list of pictures'],
    ['orderStep', 'Order step is Required'],
    ['priceBreaks', 'Must be a list of quantities and prices'],
  ])('%s of another type gets a message', (field, message) => {
    for (const value of [null, true, {}]) expect(refuse({ [field]: value })).toEqual({ [field]: message });
  });

  test('take 100 phone models of 1 to 60 characters, without duplicates', () => {
    const models = Array.from({ length: 101 }, (_, index) => `Norda ${index}`);
    expect(refuse({ fits: models.slice(1) })).toEqual({});
    expect(refuse({ fits: models })).toEqual({ fits: 'Must be no more than 100' });
    const [, longest, tooLong] = textsAround(60);
    expect(refuse({ fits: [longest] })).toEqual({});
    expect(refuse({ fits: [tooLong, ' '] })).toEqual({
      'fits.0': 'Must be no more than 60 characters',
      'fits.1': 'Must be 1 characters or longer',
    });
    expect(newProductSchema.parse({ ...product, fits: ['Norda 12', ' Norda 12 '] }).fits).toEqual([
      'Norda 12',
    ]);
  });

  test('take 30 attributes within the lengths of name and value', () => {
    const attribute = { name: 'x'.repeat(60), value: 'x'.repeat(200) };
    expect(refuse({ attributes: Array.from({ length: 30 }, () => attribute) })).toEqual({});
    expect(Object.keys(refuse({ attributes: Array.from({ length: 31 }, () => attribute) }))).toEqual([
      'attributes',
    ]);
    expect(
      Object.keys(refuse({ attributes: [{ name: 'x'.repeat(61), value: '' }, { name: 'Layers' }] })),
    ).toEqual(['attributes.0.name', 'attributes.0.value', 'attributes.1.value']);
  });

  test('take 1 to 6 pictures, the first being the image', () => {
    const images = [product.image, ...Array.from({ length: 6 }, (_, index) => `/images/${index}`)];
    expect(refuse({ images: images.slice(0, 6) })).toEqual({});
    expect(refuse({ images })).toEqual({ images: 'Must be no more than 6' });
    expect(Object.keys(refuse({ images: [] }))).toContain('images');
    expect(refuse({ images: ['/images/y'] })).toEqual({ 'images.0': 'Must be the image' });
  });

  test('take an order step that divides the minimum order', () => {
    expect(refuse({ orderStep: 1 })).toEqual({});
    expect(refuse({ orderStep: 100 })).toEqual({});
    expect(refuse({ orderStep: 0 })).toEqual({ orderStep: 'Must be at least 1' });
    expect(refuse({ orderStep: 101 })).toEqual({ orderStep: 'Must not be above the minimum order' });
    expect(refuse({ orderStep: 30 })).toEqual({ minimumOrder: 'Must be a multiple of the order step 30' });
  });

  test('take the number of another part as its successor', () => {
    expect(refuse({ number: 'PF-1', replacedBy: 'PF-2' })).toEqual({});
    expect(refuse({ number: 'PF-1', replacedBy: null })).toEqual({});
    expect(refuse({ number: 'PF-1', replacedBy: 'PF-1' })).toEqual({ replacedBy: 'Must be another part' });
    expect(refuse({ replacedBy: 'pf,2' })).toHaveProperty(['replacedBy']);
  });

  test.each(['2026-02-30', '12.12.2026', '0002-12-12', '2026-12', ''])('refuse %j as a day', (day) => {
    expect(refuse({ expectedAt: day })).toEqual({ expectedAt: 'Must be a day such as 2026-12-31' });
    expect(refuse({ expectedAt: '2026-12-12' })).toEqual({});
  });
});

describe('price breaks', () => {
  const breaks = (...pairs: [quantity: number, price: number][]) =>
    pairs.map(([quantity, price]) => ({ quantity, price }));

  test('are five at most', () => {
    const six = breaks([101, 6], [102, 5], [103, 4], [104, 3], [105, 2], [106, 1]);
    expect(refuse({ priceBreaks: six.slice(0, 5) })).toEqual({});
    expect(refuse({ priceBreaks: six })).toEqual({ priceBreaks: 'Must be no more than 5' });
  });

  test('start above the minimum order and below the price', () => {
    expect(refuse({ priceBreaks: breaks([101, 141.99]) })).toEqual({});
    expect(refuse({ priceBreaks: breaks([100, 142]) })).toEqual({
      'priceBreaks.0.quantity': 'Must be above 100',
      'priceBreaks.0.price': 'Must be below 142',
    });
    expect(refuse({ priceBreaks: breaks([200, 130], [200, 130]) })).toEqual({
      'priceBreaks.1.quantity': 'Must be above 200',
      'priceBreaks.1.price': 'Must be below 130',
    });
  });

  test('are multiples of the order step', () => {
    expect(refuse({ orderStep: 50, priceBreaks: breaks([125, 130]) })).toEqual({
      'priceBreaks.0.quantity': 'Must be a multiple of the order step 50',
    });
  });

  test('require quantity and price', () => {
    expect(refuse({ priceBreaks: [{}] })).toEqual({
      'priceBreaks.0.quantity': 'Quantity is Required',
      'priceBreaks.0.price': 'Price is Required',
    });
  });

  test('have valid prices', () => {
    expect(refuse({ priceBreaks: breaks([200, 0.99], [300, 1.001]) })).toHaveProperty(
      ['priceBreaks.0.price'],
      'Must be at least 1',
    );
  });
});
