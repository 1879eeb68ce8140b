import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { signedInAs } from './builders.ts';
import { type ShopOptions, startShop, type TestShop } from './start-shop.ts';

/**
 * Created before the tests of a file or of a `describe`, in the order of the calls, and closed after them.
 * Until then it has no properties. It must be a plain object.
 */
export function prepared<T extends object>(
  create: () => Promise<T>,
  close: (created: T) => unknown = () => {},
): T {
  const later = createdBy(beforeAll, create);
  afterAll(() => close(later));
  return later;
}

/** Likewise, but created before each test. */
export const preparedForEach = <T extends object>(create: () => Promise<T>): T =>
  createdBy(beforeEach, create);

function createdBy<T extends object>(before: typeof beforeAll | typeof beforeEach, create: () => Promise<T>) {
  const later = {} as T;
  before(async () => {
    const created = await create();
    for (const key of Object.keys(created) as (keyof T)[]) {
      Object.defineProperty(later, key, {
        get: () => created[key],
        set: (value) => {
          created[key] = value;
        },
        enumerable: true,
        configurable: true,
      });
    }
  });
  return later;
}

/**
 * A shop for all tests of a file or of a `describe`. After each test its log has no error: a test that
 * provokes one names it with `shop.expectErrors`.
 * @param options a function if they need something that is prepared
 */
export function useShop(options: ShopOptions | (() => ShopOptions) = {}): TestShop {
  const shop = prepared(
    () => startShop(typeof options === 'function' ? options() : options),
    (started) => started.close(),
  );
  afterEach(() => expect(shop.errors.splice(0)).toEqual([]));
  return shop;
}

/** Likewise for the rest of one test. */
export async function startForTest(options: ShopOptions = {}): Promise<TestShop> {
  const shop = await startShop(options);
  onTestFinished(async () => {
    const errors = shop.errors.splice(0);
    await shop.close();
    expect(errors).toEqual([]);
  });
  return shop;
}

export const usePerson = (...given: Parameters<typeof signedInAs>) => prepared(() => signedInAs(...given));
