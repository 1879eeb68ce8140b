import { describe, expect, test } from 'vitest';
import { takes } from '../../test/schema.ts';
import { type Call, tags } from './call.ts';
import { calls } from './calls.ts';

type CallName = keyof typeof calls;

const of = (name: CallName): Call => calls[name];
const names = Object.keys(calls) as CallName[];
const namesWith = (member: keyof Call) => names.filter((name) => of(name)[member] !== undefined);
const table = <Value>(member: keyof Call) =>
  Object.fromEntries(namesWith(member).map((name) => [name, of(name)[member] as Value]));

describe('the calls', () => {
  test('use the sections of /docs', () => {
    expect(Object.keys(tags)).toEqual([
      'Products',
      'Orders',
      'Payments',
      'Reviews',
      'Users',
      'Pictures',
      'Administration',
      'Shop',
    ]);
  });

  test('have a summary, and no empty description', () => {
    expect(names.filter((name) => of(name).summary.trim() === '')).toEqual([]);
    expect(namesWith('description').filter((name) => of(name).description === '')).toEqual([]);
  });

  test('page every list', () => {
    expect(table('paged')).toEqual({
      listProducts: 'rows',
      listOrders: 'data',
      listReviews: 'rows',
      listUsers: 'rows',
      listActivity: 'data',
      readStockLedger: 'data',
      listMail: 'data',
    });
  });

  test('name the cache tags of public reads', () => {
    const listTags = (name: CallName) => of(name).dependsOn?.({ id: 'x' }, { available: 'true' });
    expect(Object.fromEntries(namesWith('dependsOn').map((name) => [name, listTags(name)]))).toEqual({
      readConfig: ['config'],
      listProducts: ['products'],
      readProductFacets: ['products'],
      readProduct: ['product:x'],
      readPriceList: ['catalogue'],
      listReviews: ['reviews'],
    });
    expect(calls.readProductFacets.dependsOn?.(undefined, {})).toEqual(['catalogue']);
  });

  test('limit costly calls and provider events separately', () => {
    expect(table('rateLimit')).toEqual({
      watchProducts: { requests: 600, seconds: 60 },
      stopWishes: { requests: 30, seconds: 60 },
      importProducts: { requests: 30, seconds: 60 },
      readParcelFile: { requests: 30, seconds: 60 },
      openPayment: { requests: 120, seconds: 60 },
      receivePaymentEvent: { requests: 12_000, seconds: 60 },
      createDownload: { requests: 60, seconds: 60 },
      addBatchLines: { requests: 60, seconds: 60 },
      joinBatch: { requests: 60, seconds: 60 },
      exchangeIdentity: { requests: 60, seconds: 60 },
      readProof: { requests: 30, seconds: 60 },
      readUserData: { requests: 10, seconds: 60 },
      createKey: { requests: 30, seconds: 60 },
      createWebhook: { requests: 30, seconds: 60 },
      sendDelivery: { requests: 30, seconds: 60 },
      sendVerificationMail: { requests: 5, seconds: 300 },
      confirmEmail: { requests: 10, seconds: 60 },
    });
  });

  test('answer logout without a body', () => {
    expect(table('empty')).toEqual({ logout: true });
  });

  test('stream only the live figures of parts', () => {
    const events = namesWith('events').map((name) => [name, Object.keys(of(name).events ?? {})]);
    expect(Object.fromEntries(events)).toEqual({ watchProducts: ['product', 'gone'] });
  });

  test('have headers for orders, edits and idempotency', () => {
    expect(namesWith('headers')).toEqual([
      'changeProduct',
      'changeStock',
      'placeOrder',
      'actOnOrders',
      'refundOrder',
      'placeBatch',
    ]);
    const required = namesWith('headers').filter((name) =>
      Object.values(of(name).headers ?? {}).some((header) => header.required),
    );
    expect(required).toEqual(['changeProduct', 'changeStock']);
    const header = calls.placeOrder.headers?.['Idempotency-Key'];
    expect(header?.description.trim()).not.toBe('');
  });

  test('accept a file only for uploads of pictures', () => {
    expect(table('multipart')).toEqual({
      uploadImage: {
        field: 'image',
        types: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'],
        maxBytes: 10_485_760,
      },
    });
  });
});

describe('the parameters of a path', () => {
  const withParameter = (parameter: string) =>
    names.filter((name) => parameter in (of(name).params?.shape ?? {}));

  test('accept only ids as id', () => {
    for (const name of withParameter('id'))
      expect(takes(calls[name].params as never, { id: 'x' })).toBe(false);
  });

  test('accept any text as email', () => {
    for (const name of withParameter('email')) {
      expect(takes(calls[name].params as never, { email: 'x' })).toBe(true);
    }
  });
});
