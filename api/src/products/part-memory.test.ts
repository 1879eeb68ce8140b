import { describe, expect, test } from 'vitest';
import type { ChangeListener, StockAfterOrder } from '#src/platform/database/change-feed.ts';
import { createPartMemory } from './part-memory.ts';
import type { NumberedProduct } from './store.ts';

const id = '01920000-0000-7000-8000-000000000001';
const then = new Date('2026-11-02T09:30:00.000Z');

/** A part as it was read when so many changes had been made. */
const aPart = (number: number, quantity = 1000): NumberedProduct => ({
  number,
  product: {
    _id: id,
    name: 'Aurora 12 display',
    description: 'A display.',
    price: 42.5,
    quantity,
    minimumOrder: 50,
    image: '/images/1.webp',
    number: 'PF-1001',
    kind: 'Other',
    fits: [],
    attributes: [],
    images: ['/images/1.webp'],
    orderStep: 1,
    priceBreaks: [],
    version: 1,
    createdAt: '2026-11-01T00:00:00.000Z',
    updatedAt: '2026-11-01T00:00:00.000Z',
  },
});

const left = (number: number, quantity: number): StockAfterOrder => ({
  number,
  productId: id,
  quantity,
  updatedAt: then,
});

/** A memory, and the feed by which it hears of changes. */
function aMemory() {
  let tell: ChangeListener = () => {};
  const feed = {
    isConnected: true,
    subscribe: (listener: ChangeListener) => {
      tell = listener;
    },
  };
  const memory = createPartMemory(feed);
  const tags = new Set([`product:${id}`, 'products', 'mail'] as const);
  return {
    feed,
    memory,
    find: () => memory.find(id),
    order: (number: number, quantity: number) => tell(tags, left(number, quantity)),
    orderElsewhere: () => tell(tags, 'elsewhere'),
    change: () => tell(tags),
    changeAnother: () => tell(new Set(['product:another', 'products'])),
    missChanges: () => tell('all'),
  };
}

/** One that knows the part. */
function aKnownPart(number = 7) {
  const known = aMemory();
  known.memory.begin(id)(aPart(number));
  return known;
}

describe('a part that was read', () => {
  test('is known, until something else than an order here has changed it', () => {
    for (const change of ['change', 'orderElsewhere', 'missChanges'] as const) {
      const known = aKnownPart();
      known.changeAnother();
      expect(known.find()).toEqual(aPart(7));
      known[change]();
      expect(known.find()).toBeNull();
    }
  });

  test('has what an order here has left, and all else as it was', () => {
    const known = aKnownPart();
    known.order(8, 950);
    known.order(9, 900);
    const { product } = aPart(7);
    expect(known.find()?.product).toEqual({ ...product, quantity: 900, updatedAt: then.toISOString() });
    // The answer is the same text then, whether it was read or remembered.
    expect(Object.keys(known.find()?.product ?? {})).toEqual(Object.keys(product));
  });

  test('is unknown after an order that may be in it already, or that came before another one', () => {
    const known = aKnownPart(7);
    known.order(7, 950);
    expect(known.find()).toBeNull();
    const later = aKnownPart(7);
    later.order(9, 900);
    later.order(8, 950);
    expect(later.find()).toBeNull();
  });

  test('is not known by its orders alone', () => {
    const { find, order } = aMemory();
    order(8, 950);
    expect(find()).toBeNull();
  });

  test('is unknown while changes are not heard', () => {
    const known = aKnownPart();
    known.feed.isConnected = false;
    expect(known.find()).toBeNull();
  });
});

describe('a part that is being read', () => {
  test('is not known before', () => {
    const { memory, find } = aMemory();
    memory.begin(id);
    expect(find()).toBeNull();
  });

  test('has what the last order meanwhile has left, in whatever order they are heard of', () => {
    for (const numbers of [[8, 9] as const, [9, 8] as const]) {
      const { memory, find, order } = aMemory();
      const keep = memory.begin(id);
      for (const number of numbers) order(number, 1000 - number);
      // Read before both, or before the later one.
      keep(aPart(7));
      expect(find()?.product.quantity).toBe(991);
    }
  });

  test('is not kept when it may be older than an order meanwhile without lacking it', () => {
    const { memory, find, order } = aMemory();
    const keep = memory.begin(id);
    order(8, 950);
    keep(aPart(8));
    expect(find()).toBeNull();
  });

  test('is not kept when something else has changed it meanwhile, or may have', () => {
    for (const change of ['change', 'orderElsewhere', 'missChanges'] as const) {
      const reading = aMemory();
      const keep = reading.memory.begin(id);
      reading[change]();
      keep(aPart(7));
      expect(reading.find()).toBeNull();
    }
  });

  test('is kept as whoever began last has read it', () => {
    const { memory, find } = aMemory();
    const [first, second] = [memory.begin(id), memory.begin(id)];
    second(aPart(8, 900));
    first(aPart(7, 1000));
    expect(find()).toEqual(aPart(8, 900));
  });

  test('is not kept while changes are not heard', () => {
    const { memory, feed, find } = aMemory();
    const keep = memory.begin(id);
    feed.isConnected = false;
    keep(aPart(7));
    feed.isConnected = true;
    expect(find()).toBeNull();
  });
});

test('a thousand parts are known, and the one that nobody has asked for the longest goes first', () => {
  const { memory } = aMemory();
  for (let number = 0; number <= 1000; number += 1) {
    memory.begin(`part-${number}`)(aPart(7));
    memory.find('part-0');
  }
  expect([memory.find('part-0'), memory.find('part-1')]).toEqual([aPart(7), null]);
});
